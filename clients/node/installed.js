// Fails unless the packages that the arguments name are installed.
await Promise.all(process.argv.slice(2).map((name) => import(name)));
