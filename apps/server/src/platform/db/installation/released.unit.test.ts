import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readMigrations } from './migrate.ts';

const SUMS = new URL('../../../../migrations/SHA256SUMS', import.meta.url);

// A database that applied a migration refuses another text under its name. `sha256sum -c SHA256SUMS` compares as well.
test('a released migration never changes, and new ones come after all that are released', async () => {
  const released = readFileSync(SUMS, 'utf8').trimEnd().split('\n');
  const found = (await readMigrations()).map(({ name, checksum }) => `${checksum}  ${name}`);
  expect(found.slice(0, released.length)).toEqual(released);
});
