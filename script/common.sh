# Shared by the scripts: usage, finding PostgreSQL, building, a temporary server.  Sourced,
# not run.
# shellcheck shell=bash disable=SC2034,SC2120

set -euo pipefail

# that of macOS is 3.2
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
	echo "script/${0##*/}: bash 4.4 or later is needed (macOS: brew install bash)" >&2
	exit 1
fi

# Do not depend on the user's locale: scripts parse the output of apt-cache, prove and
# others, [a-z] differs in Turkish, and initdb takes the encoding from LANG. PostgreSQL's
# TAP modules delete LC_ALL, so set LANG.
users_locale=${LC_ALL:-${LANG:-}}
unset LANGUAGE "${!LC_@}"
export LANG=C.UTF-8
[ "$(locale charmap 2>/dev/null)" = UTF-8 ] || LANG=en_US.UTF-8 # older versions of macOS have no C.UTF-8

# "su" without "-" leaves out the directories of runuser
PATH=$PATH:/usr/sbin:/sbin

# install for this server, test what is built, and ignore the user's settings for libpq and the server
unset DESTDIR IMPORT_PROGRAM
for variable in "${!PG@}"; do
	[[ $variable = PG_CONFIG || $variable = PG_TEST_EXTRA ]] || unset "$variable"
done

processors=$(getconf _NPROCESSORS_ONLN)
root=$(CDPATH="" cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# die MESSAGE [LOG]
die() {
	[ $# -eq 1 ] || tail -n 60 "$2" >&2
	printf '%s: %s\n' "script/${0##*/}" "$1" >&2
	exit 1
}

say() {
	printf '==> %s\n' "$1" >&2
}

# print the first comment of a script
usage() {
	awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "${1:-$0}"
}

# End after a wrong argument, or without one that is needed.
usage_error() {
	printf '%s\n' "script/${0##*/}: ${1+unknown argument: }${1-an argument is missing}" "Try \"script/${0##*/} --help\"." >&2
	exit 2
}

# all scripts
for argument; do
	[ "$argument" != --help ] || { usage; exit; }
done

# run a command as root: directly or with sudo
as_root() {
	local sudo=sudo
	[ "$(id -u)" -ne 0 ] || sudo=
	[ -z "$sudo" ] || command -v sudo >/dev/null || die "root or sudo is needed to run: $*"
	$sudo "$@"
}

# Find PostgreSQL and its major version: by PG_CONFIG or in PATH.
find_postgres() {
	local found
	found=$(command -v "${PG_CONFIG:-pg_config}") || return 1
	[[ $found = /* ]] || found=$PWD/$found
	bindir=$("$found" --bindir 2>/dev/null) && [ -d "$bindir" ] || die "$found is not a pg_config"
	pg_major=$("$found" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
	export PG_CONFIG=$found
}

# Install what is missing, and create $work.  Arguments are passed to script/setup.
set_up() {
	"$root/script/setup" "$@"
	find_postgres || die "pg_config not found, although script/setup found all prerequisites"
	make_work
}

# Set up, and build and install into a copy of PostgreSQL, which is removed at exit.
set_up_copy() {
	set_up "$@"
	private_server
	build_and_install
}

# Create $work, a temporary directory for the server, in TMPDIR or /tmp: the path of a Unix socket must
# be short.  At exit, end the jobs $running, stop the servers and delete the directory.  It belongs to an
# unprivileged user, because PostgreSQL refuses to run as root.
make_work() {
	local file pids left=()
	# without symbolic links, as pg_config prints it
	temporary=$(CDPATH="" cd "${TMPDIR:-/tmp}" 2>/dev/null && pwd -P) || die "cannot enter ${TMPDIR:-/tmp}: set TMPDIR to a directory"
	local other="set TMPDIR to a different directory"
	[[ $temporary =~ ^[^[:space:]]{1,60}$ ]] || die "the path $temporary has more than 60 characters, or white space: $other"
	server_user=$(id -un)
	[ "$(id -u)" -ne 0 ] || server_user=$(id -un postgres 2>/dev/null || echo nobody)
	while read -r file; do
		# the shell and its jobs; a process of another user may not be signalled, but exists
		mapfile -t pids 2>/dev/null <"$file" || continue
		[ "$(kill -0 -- "${pids[@]}" 2>&1 | grep -c "No such process")" -ne ${#pids[@]} ] || left+=("${file%/pid}")
	done < <(find "$temporary"/objectid.*/pid -size +0 \( -user "$(id -un)" -o -user "$server_user" \) 2>/dev/null)
	[ ${#left[@]} -eq 0 ] || say "left by killed runs: rm -rf ${left[*]}"
	work=$(mktemp -d "$temporary/objectid.XXXXXX")
	echo $$ >"$work/pid"
	declare -gA running=()
	trap 'clean_up' EXIT
	trap 'exit 129' HUP # which otherwise ends bash beside a running command
	trap 'exit 130' INT
	trap 'exit 143' TERM
	printf '#!/bin/sh\n' >"$work/runs"
	chmod 755 "$work/runs"
	"$work/runs" 2>/dev/null || die "programs cannot run in $temporary, perhaps because it is mounted noexec: $other"
	as_server_user test -x "$temporary" || die "the user $server_user cannot enter $temporary: $other"
}

clean_up() {
	local status=$? job free
	for job in "${!running[@]}"; do
		kill -TERM -- "-$job" 2>/dev/null || true
		wait "$job" || true
	done
	free=$(df -Pm "$work" 2>/dev/null | awk 'NR == 2 { print $4 }')
	[[ $status -eq 0 || ${free:-64} -ge 64 ]] ||
		say "only $free MB are free in $temporary: script/demo needs 300 MB, script/test 3000 MB, there or in TMPDIR"
	stop_servers
	chmod -R u+w "$work" 2>/dev/null || true # a copy of sources of mode 0555
	rm -rf "$work"
}

# also those of TAP tests
stop_servers() {
	local data
	for data in "$work/data" "$work"/tree/tmp_check/*/pgdata; do
		[ ! -f "$data/postmaster.pid" ] || as_server_user "$bindir/pg_ctl" -D "$data" -m immediate stop >/dev/null 2>&1 || true
	done
}

# Run a command as the server's user, in $work.  Files that a failing test leaves in TMPDIR
# are deleted at exit, too.
as_server_user() {
	local switch=()
	[ "$(id -un)" = "$server_user" ] || switch=(env "HOME=$work" runuser -u "$server_user" --)
	(cd "$work" && TMPDIR=$work "${switch[@]}" "$@")
}

# make in $work/tree, as the server's user
make_tree() {
	as_server_user make -s -C "$work/tree" "PG_CONFIG=$PG_CONFIG" "$@" </dev/null
}

# Build and install a copy of the tree in $work/tree, so that your tree does not change,
# and no earlier build, perhaps for a different server, is used.
build_and_install() {
	local library
	say "building for PostgreSQL $pg_major"
	mkdir "$work/tree"
	tar -C "$root" --exclude=./.git --exclude=node_modules --exclude='*.o' --exclude='*.bc' --exclude='*.so' --exclude=./tmp_check --exclude=./import/objectid-import -cf - . |
		tar -C "$work/tree" -xf -
	chmod -R u+w "$work/tree"
	make -s -j "$processors" -C "$work/tree" "$@" >"$work/build.log" 2>&1 || die "the build failed" "$work/build.log"
	local as=as_root
	[ ! -w "$("$PG_CONFIG" --pkglibdir)" ] || [ ! -w "$("$PG_CONFIG" --sharedir)/extension" ] || as=
	say "installing into $("$PG_CONFIG" --pkglibdir) and $("$PG_CONFIG" --sharedir)/extension"
	$as make -s -C "$work/tree" "PG_CONFIG=$PG_CONFIG" install >/dev/null
	for library in "$work/tree"/objectid.{so,dylib}; do
		[ ! -f "$library" ] || cmp -s "$library" "$("$PG_CONFIG" --pkglibdir)/${library##*/}" ||
			die "the server's ${library##*/} is not the one that was built"
	done
	[ "$(id -un)" = "$server_user" ] || chown -R "$server_user" "$work"
}

# Copy PostgreSQL to $work/server, so that installing into it does not change the
# original.  Its programs find their files by their own location.  "postgres" is a script
# that runs the program, "postgres-itself", with an environment: NAME=VALUE, in shell syntax.
# The program keeps the script's name, because "pg_ctl restart" uses this name.
private_server() {
	local prefix='' environment='' name path
	local -A places
	say "copying PostgreSQL $pg_major"
	for name in bindir pkglibdir sharedir includedir includedir-server; do
		path=$("$PG_CONFIG" --"$name")
		places[$name]=$path
		prefix=${prefix:-$path/}
		while [[ $path/ != "$prefix"* ]]; do
			prefix=${prefix%/*/}/
		done
	done
	for path in "${places[@]}"; do
		mkdir -p "$work/server/${path#"$prefix"}"
		cp -RL "$path/." "$work/server/${path#"$prefix"}"
	done
	# the libraries of client programs
	path=$("$PG_CONFIG" --libdir)
	if [[ $path/ = "$prefix"* ]]; then
		mkdir -p "$work/server/${path#"$prefix"}"
		cp -L "$path"/libp[gq]* "$work/server/${path#"$prefix"}"
	fi
	bindir=$work/server/${bindir#"$prefix"}
	PG_CONFIG=$bindir/pg_config
	[[ $("$PG_CONFIG" --pkglibdir) = "$work"/* ]] || die "a copy of this PostgreSQL does not find its files: run script/test --install"
	[ ! -f "$bindir/postgres-itself" ] || environment=$(grep '^export ' "$bindir/postgres" || true) # a copy of a copy
	[ -f "$bindir/postgres-itself" ] || mv "$bindir/postgres" "$bindir/postgres-itself"
	printf '#!/usr/bin/env bash\n%s\n%s\nexec -a "$0" "%s" "$@"\n' "$environment" "${*:+export $*}" "$bindir/postgres-itself" >"$bindir/postgres"
	chmod 755 "$bindir/postgres"
}

# Start the server, and set PGHOST and PGUSER to connect to it.  It listens on a Unix
# socket only, and is fast because it need not survive a crash of the machine.  Arguments
# are settings, as NAME=VALUE.
start_server() {
	[ -d "$work/data" ] || as_server_user "$bindir/initdb" -D "$work/data" -U postgres -A trust -N -E UTF8 --locale=C >"$work/initdb.log" 2>&1 ||
		die "initdb failed" "$work/initdb.log"
	as_server_user "$bindir/pg_ctl" -D "$work/data" -l "$work/server.log" -w start \
		-o "-c listen_addresses= -c unix_socket_directories=$work -c fsync=off${*/#/ -c }" >/dev/null ||
		die "the server did not start" "$work/server.log"
	export PGHOST=$work PGUSER=postgres PGDATABASE=postgres
}

# start_server, after stopping it
restart_server() {
	as_server_user "$bindir/pg_ctl" -D "$work/data" -m fast -w stop >/dev/null
	start_server "$@"
}

# check_sql NAME...: they are tests of sql/
check_sql() {
	local name
	for name; do [ -f "$root/sql/$name.sql" ] || usage_error "$name"; done
}

# run_sql NAME...: the tests of sql/, or only these, on the server
run_sql() {
	say "regression tests"
	make_tree installcheck ${1+"REGRESS=setup $*"} || { cat "$work/tree/regression.diffs"; exit 1; }
}
