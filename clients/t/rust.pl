# Rust: the crate, with the crate bson.
# Takes long.
use ClientTest;

# cargo with the crates that Debian packages
my $home = PostgreSQL::Test::Utils::tempdir();
$ENV{CARGO_TARGET_DIR} //= "${PostgreSQL::Test::Utils::tmp_check}/cargo";
@ENV{qw(CARGO_HOME CARGO_PROFILE_DEV_DEBUG CARGO_NET_OFFLINE)} = ($home, 'false', 'true');
append_to_file("$home/config.toml", <<'END');
[source]
crates-io.replace-with = "debian"
debian.directory = "/usr/share/cargo/registry"
END

test_clients(run => 'cargo test --quiet --all-features --test=${PROGRAM%.rs} -- --nocapture');

__END__
# driver	program	ways	needs
tokio-postgres	tests/tokio_postgres.rs	binary, copy	tokio-postgres
sqlx	tests/sqlx.rs	binary	sqlx
diesel	tests/diesel.rs	binary	diesel
# check	needs	command	allowed
cargo package	rust_package	cd package; cargo package --quiet
the tests in the documentation	rust_package	cd package; cargo test --quiet --doc >output 2>&1 || ! cat output
cargo doc	rust_package	cd package; cargo doc --quiet --no-deps --all-features
Clippy	rust_package	cd $CLIENT; cargo clippy --quiet --all-targets --all-features -- --deny=warnings
