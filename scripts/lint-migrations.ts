// `npm run lint:migrations`: migrations that are not applied everywhere yet, by the rules of .squawk.toml.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** Earlier ones make the schema of an empty database, whose tables nothing reads or writes meanwhile. */
const FIRST = '2024';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const folder = 'apps/server/migrations';
const files = readdirSync(`${cwd}${folder}`).filter((name) => name.endsWith('.sql') && name >= FIRST);
// Without files it would read its input.
if (files.length === 0) process.exit(0);
const { status, error, stdout, stderr } = spawnSync(
  'node_modules/.bin/squawk',
  ['--config', '.squawk.toml', ...files.map((name) => `${folder}/${name}`)],
  { cwd, encoding: 'utf8' },
);
// It writes colours into files as well.
if (!error) console.log(stripVTControlCharacters(`${stdout}${stderr}`).trim());
else console.error(`squawk does not start: ${error.message}. \`npm ci\` installs it.`);
process.exitCode = status ?? 1;
