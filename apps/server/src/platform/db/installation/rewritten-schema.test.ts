import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a database of this version is migrated already', async () => {
  expect(await migrate(database.ownerUrl)).toEqual({ applied: [] });
});

test('a migration whose text alone had to change counts as applied', async () => {
  const former = '0e1ed304d4da9cc5d6c9d1b0181f259606be3daf8cea4feeb3eee71afdba0a77';
  const name = '1285_open_deductions.sql';
  const [applied] = await asOwner<{ checksum: string }>(
    database.ownerUrl,
    'SELECT checksum FROM schema_migration WHERE name = $1',
    [name],
  );
  expect(applied?.checksum).not.toBe(former);
  await asOwner(database.ownerUrl, 'UPDATE schema_migration SET checksum = $2 WHERE name = $1', [
    name,
    former,
  ]);
  expect(await migrate(database.ownerUrl)).toEqual({ applied: [] });
});

test('one of a later version is refused, and left to that version', async () => {
  await write(`INSERT INTO schema_migration (name, checksum) VALUES ('9999_later.sql', 'x')`);
  await expect(migrate(database.ownerUrl)).rejects.toThrow(/9999_later\.sql.*at least as new/);
  await write(`DELETE FROM schema_migration WHERE name = '9999_later.sql'`);
});

test('a database with rewritten migrations is refused, with the way out', async () => {
  await write(
    `UPDATE schema_migration SET checksum = 'of another text' WHERE name = '1001_access_and_changes.sql'`,
  );
  await expect(migrate(database.ownerUrl)).rejects.toThrow(
    /1001_access_and_changes\.sql.*use an empty database/,
  );
});

test('one of migrations that were squashed since is refused as well', async () => {
  await write(
    `UPDATE schema_migration SET name = '0001_access.sql' WHERE name = '1001_access_and_changes.sql'`,
  );
  await expect(migrate(database.ownerUrl)).rejects.toThrow(/0001_access\.sql.*use an empty database/);
});

const write = (text: string) => asOwner(database.ownerUrl, text);
