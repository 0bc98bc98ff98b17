# The chance of a repeat is what docs/uniqueness.md says.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;

my ($out, $err) = run_command([ $^X, 'script/uniqueness' ]);
unlike($out, qr/WRONG/, 'counted repeats agree with the formula');
is(() = $out =~ /^ .*-lived .*$/mg, 7, 'in all cases');
diag($out) unless Test::More->builder->is_passing;

done_testing();
