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
const DOCUMENTS = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'];

const isThere = (path: string) => PLACES.some((place) => existsSync(`${root}${place}${path}`));

test.each(DOCUMENTS)('every file with its folder in %s exists', (document) => {
  const text = readFileSync(`${root}${document}`, 'utf8');
  const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs|sql|md))`/g)].map(
    ([, path]) => path as string,
  );
  if (document === 'ARCHITECTURE.md') expect(paths.length).toBeGreaterThan(60);
  // `NNNN` stands for a number.
  expect(paths.filter((path) => !path.includes('NNNN') && !isThere(path))).toEqual([]);
});

const linked = globSync(['*.md', 'docs/**/*.md', 'apps/*/README.md'], { cwd: root });

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
