# The chance of a repeat is what docs/uniqueness.md says.
use lib 't';
use TestServer;

my ($out, $err) = run_command([ $^X, 'script/uniqueness' ]);
unlike($out, qr/WRONG/, 'counted repeats agree with the formula');
is(() = $out =~ /^ .*-lived .*$/mg, 7, 'in all cases');
diag($out) unless Test::More->builder->is_passing;

done_testing();
