import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'copydesk-console-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PERSONAS = readFileSync(
  join(PROJECT, 'apps/console/src/features/identity/embedded/sign-in/personas.tsx'),
  'utf8',
);
/** What only the sign-in of the demo world says. Other screens have the words "Super admin". */
const WORDS = [
  'demo/sign-in',
  'Demo world: sign in as',
  ...[...PERSONAS.matchAll(/label: '([^']+)'/g)]
    .map(([, label = '']) => label)
    .filter((label) => !/super admin$/i.test(label)),
];

/** The words that a build for a mode has, in any of its files. */
function wordsOf(mode: string): string[] {
  const outDir = join(folder, mode);
  const vite = join(PROJECT, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--mode', mode, '--outDir', outDir, '--logLevel', 'error'], {
    cwd: join(PROJECT, 'apps/console'),
    stdio: 'ignore',
  });
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  expect(files.length).toBeGreaterThan(20);
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
  return WORDS.filter((word) => texts.some((text) => text.includes(word)));
}

test('a console for production has no code of the personas, and that of npm start has', () => {
  expect(WORDS).toHaveLength(6);
  expect(wordsOf('production')).toEqual([]);
  expect(wordsOf('demo')).toEqual(WORDS);
});
