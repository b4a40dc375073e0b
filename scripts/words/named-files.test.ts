import { existsSync, readFileSync } from 'node:fs';
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
