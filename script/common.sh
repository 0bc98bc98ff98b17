# What the scripts share: usage, finding PostgreSQL, building, a throwaway server.
# Sourced, not run.
# shellcheck shell=bash disable=SC2034,SC2120

set -euo pipefail

# One locale whatever the user's is: the output of apt-cache, prove and others is parsed,
# [a-z] has other letters in Turkish, and initdb takes the encoding from LANG.
# PostgreSQL's TAP modules delete LC_ALL, so LANG has to say it.
users_locale=${LC_ALL:-${LANG:-}}
unset LANGUAGE "${!LC_@}"
export LANG=C.UTF-8
[ "$(locale charmap 2>/dev/null)" = UTF-8 ] || LANG=en_US.UTF-8 # an older macOS has no C.UTF-8

# the user's own server is none of ours: not libpq's settings, nor those that the server reads
for variable in "${!PG@}"; do
	[[ $variable = PG_CONFIG || $variable = PG_TEST_EXTRA ]] || unset "$variable"
done

root=$(CDPATH="" cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

die() {
	printf '%s: %s\n' "script/${0##*/}" "$1" >&2
	exit 1
}

say() {
	printf '==> %s\n' "$1" >&2
}

# print the comment at the head of a script
usage() {
	awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "${1:-$0}"
}

# the same, because of a wrong argument
usage_error() {
	usage >&2
	exit 2
}

# all scripts
for argument; do
	[ "$argument" != --help ] || { usage; exit; }
done

# run a command as root: directly, or by sudo
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "this needs root or sudo: $*"
	fi
}

# Where PostgreSQL is, and of which major version.  PG_CONFIG says so, or PATH.
find_postgres() {
	local found
	found=$(command -v "${PG_CONFIG:-pg_config}") || return 1
	[[ $found = /* ]] || found=$PWD/$found
	bindir=$("$found" --bindir 2>&1) && [ -d "$bindir" ] || die "$found is no pg_config"
	pg_major=$("$found" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
	export PG_CONFIG=$found
}

# Set up and find PostgreSQL.  An argument is for script/setup.
set_up() {
	"$root/script/setup" "$@"
	find_postgres || die "there is no pg_config, though script/setup found all it needs"
}

# Make $work, a temporary directory that is gone at exit, and the server in it.
# It is in /tmp, for a Unix socket's path must be short, and belongs to an
# unprivileged user, for PostgreSQL refuses to run as root.
make_work() {
	work=$(mktemp -d /tmp/objectid.XXXXXX)
	trap 'clean_up' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	server_user=$(id -un)
	if [ "$(id -u)" -eq 0 ]; then
		server_user=nobody
		if id -u postgres >/dev/null 2>&1; then
			server_user=postgres
		fi
	fi
}

clean_up() {
	if [ -f "$work/data/postmaster.pid" ]; then
		as_server_user "$bindir/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true
	fi
	rm -rf "$work"
}

# Run a command as the server's user, in $work.  What a failing test leaves in TMPDIR is
# gone at exit, too.
as_server_user() {
	if [ "$(id -un)" = "$server_user" ]; then
		(cd "$work" && TMPDIR=$work "$@")
	else
		(cd "$work" && HOME=$work TMPDIR=$work runuser -u "$server_user" -- "$@")
	fi
}

# Build a copy of the tree in $work/tree, so that yours stays as it is and
# nothing built before, for another server perhaps, gets in.  Install it.
build_and_install() {
	say "building for PostgreSQL $pg_major"
	mkdir "$work/tree"
	tar -C "$root" --exclude=./.git --exclude='*.o' --exclude='*.bc' --exclude='*.so' --exclude=./tmp_check --exclude=./import/objectid-import -cf - . |
		tar -C "$work/tree" -xf -
	make -s -C "$work/tree" "$@" >"$work/build.log" 2>&1 || {
		cat "$work/build.log" >&2
		die "the build failed"
	}
	say "installing into $("$PG_CONFIG" --pkglibdir) and $("$PG_CONFIG" --sharedir)/extension"
	if [ -w "$("$PG_CONFIG" --pkglibdir)" ] && [ -w "$("$PG_CONFIG" --sharedir)/extension" ]; then
		make -s -C "$work/tree" install >/dev/null
	else
		as_root make -s -C "$work/tree" "PG_CONFIG=$PG_CONFIG" install >/dev/null
	fi
	if [ "$(id -u)" -eq 0 ]; then
		chown -R "$server_user" "$work"
	fi
}

# Copy PostgreSQL to $work/server: its programs find their files from where they lie
# themselves.  What is installed there touches nobody's, and its "postgres" is a
# script, which runs the program with an environment: NAME=VALUE, in shell's words.
# The program keeps the script's name, for "pg_ctl restart" starts what that says.
private_server() {
	local directories=(bindir pkglibdir sharedir includedir includedir-server) prefix='' name path
	say "copying PostgreSQL $pg_major"
	for name in "${directories[@]}"; do
		path=$("$PG_CONFIG" --"$name")
		prefix=${prefix:-$path/}
		while [[ $path/ != "$prefix"* ]]; do
			prefix=${prefix%/*/}/
		done
	done
	for name in "${directories[@]}"; do
		path=$("$PG_CONFIG" --"$name")
		mkdir -p "$work/server/${path#"$prefix"}"
		cp -RL "$path/." "$work/server/${path#"$prefix"}"
	done
	bindir=$work/server/${bindir#"$prefix"}
	PG_CONFIG=$bindir/pg_config
	mv "$bindir/postgres" "$bindir/postgres-itself"
	printf '#!/usr/bin/env bash\nexport %s\nexec -a "$0" "%s" "$@"\n' "$*" "$bindir/postgres-itself" >"$bindir/postgres"
	chmod 755 "$bindir/postgres"
}

# Start the server; PGHOST and PGUSER lead to it.  It listens on a Unix socket
# only, and does not survive a crash of the machine, which makes it fast.
# Arguments are settings, as NAME=VALUE.
start_server() {
	[ -d "$work/data" ] || as_server_user "$bindir/initdb" -D "$work/data" -U postgres -A trust -N -E UTF8 --locale=C >"$work/initdb.log" 2>&1 || {
		cat "$work/initdb.log" >&2
		die "initdb failed"
	}
	as_server_user "$bindir/pg_ctl" -D "$work/data" -l "$work/server.log" -w start \
		-o "-c listen_addresses= -c unix_socket_directories=$work -c fsync=off${*/#/ -c }" >/dev/null || {
		cat "$work/server.log" >&2
		die "the server did not start"
	}
	export PGHOST=$work PGUSER=postgres PGDATABASE=postgres
}

# the same, after stopping it
restart_server() {
	as_server_user "$bindir/pg_ctl" -D "$work/data" -m fast -w stop >/dev/null
	start_server "$@"
}
