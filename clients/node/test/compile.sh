# The program with the types compiles, in all ways that TypeScript finds and emits modules; once with the types of the
# libraries checked, too, which takes a minute.  tsc fails if those of Drizzle do, so what it prints is the result.
set -e
cp types.ts types.cts
mv types.ts types.mts
compile() {
	node node_modules/typescript/bin/tsc --strict --noEmit --target es2022 --lib es2022 --experimentalDecorators "$@" || test $? = 2
}
compile --module nodenext types.cts types.mts
compile --skipLibCheck --module node16 types.cts types.mts
compile --skipLibCheck --module commonjs --moduleResolution node10 --esModuleInterop types.cts
compile --skipLibCheck --module esnext --moduleResolution bundler types.mts
