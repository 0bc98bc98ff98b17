# Programs with the package compile, in all ways that TypeScript finds and emits modules; once with the types
# of the libraries checked, too, which takes a minute.  tsc fails if those of Drizzle do, so what it prints is the result.
set -e
for type in commonjs module; do
	mkdir $type
	cp types/*.ts $type
	echo "{ \"type\": \"$type\" }" >$type/package.json
done
compile() {
	node node_modules/typescript/bin/tsc --strict --noEmit --target es2022 --lib es2022 --experimentalDecorators "$@" || test $? = 2
}
compile --module nodenext commonjs/*.ts module/*.ts
compile --skipLibCheck --module node16 commonjs/*.ts module/*.ts
compile --skipLibCheck --module commonjs --moduleResolution node10 --esModuleInterop commonjs/*.ts
compile --skipLibCheck --module esnext --moduleResolution bundler module/*.ts
