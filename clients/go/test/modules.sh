#!/usr/bin/env bash
# Write MODULES/go.mod, for all modules.  Debian's packages contain the sources of
# modules, in SOURCES, for GOPATH, so each gets a "replace".  What they require beyond that is not
# needed to build: an empty module.  Where v2 of mongo-driver is not installed, such as on Debian,
# v1 gets its names.
set -eo pipefail
mkdir -p $MODULES
cd $MODULES
cp $CLIENT/test/go.mod .
cp go.mod required
find $SOURCES -name go.mod | while read -r mod; do
	path=${mod%/go.mod} module=${mod##*/src/}
	module=${module%/go.mod}
	grep -Eqx "module\s+\"?$module\"?\s*" $mod || continue
	echo "replace $module => $path" >>go.mod
	cat $mod >>required
done
grep -oP '^\s*(require\s+)?"?\K[^\s/"]+\.[^\s/]+/[^\s"]+(?="?\s+v\d)' required | sort -u | while read -r module; do
	! grep -q "^replace $module " go.mod || continue
	mkdir -p $module
	echo "module $module" >$module/go.mod
	echo "replace $module => $MODULES/$module" >>go.mod
done
v2=go.mongodb.org/mongo-driver/v2
[ ! -d $v2 ] || install -D -t $v2/bson $CLIENT/test/testdata/mongo_driver_v1.go
