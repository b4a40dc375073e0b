import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { asvsLevelOf } from '../support/asvs-levels.ts';
import { describeSecurity } from '../support/describe-security.ts';
import { SECURITY_AREAS } from '../support/security-requirements.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const all = Object.values(SECURITY_AREAS).flat();

test('every requirement has a number of its own, which ASVS has', () => {
  const ids = all.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids.filter((id) => asvsLevelOf(id) === null)).toEqual([]);
  const areMarked = all.filter(({ asks }) => asks.endsWith('(level 3)')).map(({ id }) => id);
  expect(ids.filter((id) => asvsLevelOf(id) === 3)).toEqual(areMarked);
});

test('every file that is said to meet or prove one exists, and every one that is met names a file', () => {
  const missing = all.flatMap(({ id, files, tests = [] }) =>
    [...files, ...tests].filter((file) => !existsSync(root(file))).map((file) => `${id}: ${file}`),
  );
  expect(missing).toEqual([]);
  expect(all.filter(({ files }) => files.length === 0)).toEqual([]);
});

test('docs/security.md is what the list says', async () => {
  await expect(describeSecurity()).toMatchFileSnapshot(root('docs/security.md'));
});
