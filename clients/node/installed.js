// Are the packages that are named here? Fails if not.
await Promise.all(process.argv.slice(2).map((name) => import(name)));
