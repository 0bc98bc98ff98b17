# The chance of a repeat is what docs/uniqueness.md says.
use lib 't';
use TestServer;

my ($out, $err) = run_command([ $^X, 'script/uniqueness' ]);
unlike($out, qr/WRONG/, 'counted repeats agree with the formula');
is(() = $out =~ /^ .*-lived .*$/mg, 7, 'in all cases');
diag($out) unless Test::More->builder->is_passing;

# with the same seed, the output is the same as on the page
my $page = slurp_file('docs/uniqueness.md');
ok(index($page, $out) >= 0, 'and are those that the page shows');

done_testing();
