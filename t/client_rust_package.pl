# The crate of clients/rust: cargo package, Clippy and the documentation are without warnings.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('rust_package');
my $package = install('rust', '') . '/package';
passes('cargo package', $package, cargo_command('package --quiet'));
passes('the tests in the documentation', $package, cargo_command('test --quiet --doc') . ' >output 2>&1 || cat output');
passes('cargo doc', $package, cargo_command('doc --quiet --no-deps --all-features'));
passes('Clippy', 'clients/rust', cargo_command('clippy --quiet --all-targets --all-features') . ' -- --deny=warnings');
done_testing();
