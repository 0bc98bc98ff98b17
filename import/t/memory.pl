# objectid-import without memory: whichever allocation fails, the program ends by itself, with a
# message if documents are missing, and the same command loads them.
use strict;
use warnings FATAL => 'all';
use lib qw(testlib import/t);
use ImportTest;

plan skip_all => 'needs the allocator of glibc, without sanitizers' if $^O ne 'linux' || $ENV{IMPORT_COPT};
set_up();

# A library that lets the n-th allocation of a process fail, or counts them.  Not in COPY:
# libpq waits forever if it cannot allocate the result of that.  With -1, processes that the program
# starts crash when they connect.
write_file('fail.c', <<'END');
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static void *(*exec)(void *, const char *);
static pid_t process;
static long calls, fail_at;
static int copying;
__attribute__((constructor)) static void start(void)
{
	exec = dlsym(RTLD_NEXT, "PQexec");
	calls = 0;
	process = getpid();
	fail_at = atol(getenv("FAIL_AT"));
}
__attribute__((destructor)) static void report(void)
{
	if (fail_at == 0)
		fprintf(stderr, "%ld allocations\n", calls);
}
void *PQexec(void *conn, const char *sql)
{
	void *result;
	copying = strncmp(sql, "COPY", 4) == 0;
	result = exec(conn, sql);
	copying = 0;
	return result;
}
void *PQconnectdbParams(const char *const *names, const char *const *values, int expand)
{
	void *(*connect)(const char *const *, const char *const *, int) = dlsym(RTLD_NEXT, "PQconnectdbParams");
	if (fail_at < 0 && getpid() != process)
		abort();
	return connect(names, values, expand);
}
static int fails(void)
{
	if (copying || exec == NULL || ++calls != fail_at)
		return 0;
	errno = ENOMEM;
	return 1;
}
void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
END
my ($cc) = run_command([ $pg_config, '--cc' ]);
plan skip_all => 'the C library is not glibc'
  if system("$cc -shared -fPIC -fno-builtin -Wl,-z,defs '$work/fail.c' -o '$work/fail.so' -ldl 2>'$work/fail.log'") !=
  0;

# run_failing($n, @arguments) - let the n-th allocation fail, unless it is undefined.  Standard input is
# a file, because the program may end before it reads a pipe.
sub run_failing
{
	my ($n, @arguments) = @_;
	my $input = @arguments > 1 && $arguments[-2] eq '-' ? pop @arguments : '/dev/null';
	local $ENV{FAIL_AT} = $n // 0;
	local $ENV{LD_PRELOAD} = defined $n ? "$work/fail.so" : '';
	IPC::Run::run([ @ImportTest::command, @arguments ],
		'<', $input, '>', \my $out, '2>', \my $err, init => sub { chdir $work or die "$work: $!" });
	return ($? & 127 ? "signal $?" : $? >> 8, $out, $err);
}

# Twelve documents, of which one is a duplicate, and an invalid one, in several windows
sub twelve
{
	return join('',
		map { bson(id($_), int32('n', $_), element(13, 'code', pack('V/a*', "c\0")), string('pad', 'x' x 80)) } 1 .. 12,
		6)
	  . bson(id(13), string('s', "\0"));
}
my $json = join(
	'',
	map {
			'{'
		  . json_id($_)
		  . ',"date":{"$date":"2020-01-01T00:00:00Z"},"b":{"$binary":{"base64":"AAAA","subType":"00"}},"s":"\u00e9'
		  . 'x' x 80 . "\"}\n"
	} 1 .. 12,
	6) . '{"_id":{"$oid":1}}' . "\n";
my $file = write_file('t.bson', twelve());
my $zipped = write_file('zipped/t.bson.gz', compress(twelve()));
write_file("dump/public/$_.bson", twelve()) for qw(t u);
write_file('dump/public/t.metadata.json',
	'{"options":{"capped":true},"indexes":[{"key":{"a":1},"name":"a"}],"collectionName":"t"}');

# how many documents the tables have, and how many were rejected
sql(q{
CREATE FUNCTION found(OUT documents bigint, OUT rejected bigint) LANGUAGE plpgsql AS $$
DECLARE
	relation regclass;
	n bigint;
BEGIN
	documents := 0;
	rejected := 0;
	FOR relation IN SELECT oid FROM pg_class WHERE relname IN ('t', 't_rejected', 'u', 'u_rejected') LOOP
		EXECUTE 'SELECT count(*) FROM ' || relation INTO n;
		IF relation::text ~ '_rejected' THEN
			rejected := rejected + n;
		ELSE
			documents := documents + n;
		END IF;
	END LOOP;
END$$});
my $session = $node->background_psql('postgres');
# the limit is for each of hundreds of queries, not for all
$session->set_query_timer_restart;
sub found { return $session->query_safe('SELECT * FROM found()') }

sub clean
{
	$session->query_safe(
		'SET client_min_messages = warning; DROP TABLE IF EXISTS t, t_rejected, u, u_rejected, objectid_import');
}

# Not the first, because core's get_progname() aborts then.
local $ENV{OBJECTID_IMPORT_WINDOW} = 500;
my $step = $long ? 1 : 43;
my $first = 2;
for (
	[ 'BSON', $file ],
	[ '--upsert', '--upsert', $file ],
	[ '--drop', '--drop', $file ],
	[ '--restart', '--restart', $file ],
	[ '--dry-run', '--dry-run', $file ],
	[ '-j 2', '-j', 2, $file ],
	[ 'a pipe', '-t', 't', '--format=bson', '-', $file ],
	[ 'a compressed pipe, --upsert', '--upsert', '-t', 't', '--format=bson', '-', $zipped ],
	[ 'JSON', write_file('json/t.json', $json) ],
	[ 'a compressed file', $zipped ],
	[ 'a dump', "$work/dump" ])
{
	my ($what, @arguments) = @$_;
	clean();
	my ($status, $out, $err) = run_failing(0, @arguments);
	my ($documents, $rejected) = split(/\|/, found());
	is($status, 3, "$what: with memory") or diag($out, $err);
	my $last = (sort { $b <=> $a } $err =~ /^(\d+) allocations$/mg)[0];
	my (@wrong, $failed);
	for (my $n = $first; $n <= $last; $n += $step)
	{
		clean();
		($status, $out, $err) = run_failing($n, @arguments);
		my ($there) = split(/\|/, found());
		if ($status ne '3')
		{
			$failed++;
			push @wrong, "$n: $status $err" if $status ne '1' || $err !~ /^(?:objectid-import: error: )?./m;
			($status, $out, $err) = run_failing(undef, @arguments);
			($there, my $noted) = split(/\|/, found());
			push @wrong, "$n, again: $status, $there, $noted $err"
			  if $status ne '3' || $there != $documents || $noted < $rejected;
		}
		elsif ($there != $documents)
		{
			push @wrong, "$n: success with $there documents";
		}
	}
	is(join("\n", @wrong), '', "$what: whichever of $last allocations fails");
	cmp_ok($failed, '>', 0, 'the program has failed');
	$first += 3 if !$long;    # other allocations of the connections
}

# none is started again in place of one that crashed before it took a file
clean();
my ($status, $out, $err) = run_failing(-1, '-j', 2, "$work/dump");
is("$status, " . (() = $err =~ /terminated by signal/g), '1, 2', 'processes that crash');
is((run_failing(undef, "$work/dump"))[0], '3', 'the next run loads all');
$session->quit;

done_testing();
