import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Places that a path in a document may begin at. */
const PLACES = [
  '',
  'apps/server/src/',
  'apps/console/src/',
  'packages/',
  'apps/server/',
  'scripts/boundaries/',
];
const ROOMS = globSync('apps/server/src/{core,features}/*/README.md', { cwd: root });
const DOCUMENTS = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', ...ROOMS];

const isThere = (path: string, document: string) =>
  [...PLACES, `${dirname(document)}/`].some((place) => existsSync(`${root}${place}${path}`));

test.each(DOCUMENTS)('every file with its folder in %s exists', (document) => {
  const text = readFileSync(`${root}${document}`, 'utf8');
  const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|sql|md))`/g)].map(
    ([, path]) => path as string,
  );
  // `NNNN` stands for a number.
  expect(paths.filter((path) => !path.includes('NNNN') && !isThere(path, document))).toEqual([]);
});

test('every feature says what it is, and ARCHITECTURE.md stays short enough to be read', () => {
  const features = globSync('apps/server/src/features/*/', { cwd: root });
  expect(ROOMS.filter((room) => room.includes('/features/')).length).toBe(features.length);
  expect(readFileSync(`${root}ARCHITECTURE.md`, 'utf8').length).toBeLessThanOrEqual(10_000);
});

const linked = globSync(['*.md', 'docs/**/*.md', 'apps/*/README.md', ...ROOMS], { cwd: root });

test.each(linked)('every link of %s leads to a file', (document) => {
  const text = readFileSync(`${root}${document}`, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link as string);
  const missing = links.filter((link) => !existsSync(join(root, dirname(document), link)));
  expect(missing).toEqual([]);
});

test('the index of decisions has each of them by its title', () => {
  const folder = join(root, 'docs/decisions');
  const index = readFileSync(join(folder, 'README.md'), 'utf8').replace(/ +/g, ' ');
  const missing = globSync('[0-9]*.md', { cwd: folder }).filter((file) => {
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    return !index.includes(`| ${number} | [${title}](${file}) |`);
  });
  expect(missing).toEqual([]);
});
