// Writes the CommonJS form of each adapter from its ES module: objectid.cjs, with different imports
// and exports, and objectid.d.cts.  With --check it fails if one of them is not up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

function commonjs(module) {
  const names = [...module.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map((match) => match[1]);
  const body = module
    .replace(/^import (.*) from (.*);$/gm, 'const $1 = require($2);')
    .replace(/^export /gm, '');
  return `${body}\nmodule.exports = { ${names.join(', ')} };\n`;
}

for (const folder of readdirSync('.', { withFileTypes: true })) {
  const modules = folder.isDirectory() ? readdirSync(folder.name).filter((name) => /^objectid\.(mjs|d\.mts)$/.test(name)) : [];
  for (const name of modules) {
    const text = readFileSync(`${folder.name}/${name}`, 'utf8');
    const to = `${folder.name}/${name.replace(/m([jt]s)$/, 'c$1')}`;
    const made = name.endsWith('.mjs') ? commonjs(text) : text;
    if (process.argv[2] !== '--check') {
      writeFileSync(to, made);
    } else if (readFileSync(to, 'utf8') !== made) {
      throw new Error(`${to} is not up to date: run "node commonjs.js" in clients/node`);
    }
  }
}
