// `npm run lint:migrations`: migrations that are not applied everywhere yet, by the rules of .squawk.toml.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** Earlier ones are applied, and never change. */
const FIRST = '1432';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const folder = 'apps/server/migrations';
const files = readdirSync(`${cwd}${folder}`).filter((name) => name.endsWith('.sql') && name >= FIRST);
const { status, error, stdout, stderr } = spawnSync(
  'node_modules/.bin/squawk',
  ['--config', '.squawk.toml', ...files.map((name) => `${folder}/${name}`)],
  { cwd, encoding: 'utf8' },
);
// It writes colours into files as well.
if (!error) console.log(stripVTControlCharacters(`${stdout}${stderr}`).trim());
else console.error(`squawk does not start: ${error.message}. \`npm ci\` installs it.`);
process.exitCode = status ?? 1;
