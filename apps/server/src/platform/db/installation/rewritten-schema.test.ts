import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { planMigrations } from '../migrations/plan.ts';
import { migrate, readMigrations } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const write = (text: string) => asOwner(database.ownerUrl, text);

test('a database of this version is migrated already', async () => {
  expect(await migrate(database.ownerUrl)).toEqual({ applied: [] });
});

test('one of a later version is refused, and left to that version', async () => {
  await write(`INSERT INTO schema_migration (name, checksum) VALUES ('9999_later.sql', 'x')`);
  await expect(migrate(database.ownerUrl)).rejects.toThrow(/9999_later\.sql.*at least as new/);
  await write(`DELETE FROM schema_migration WHERE name = '9999_later.sql'`);
});

test('a database with rewritten migrations is refused, with the way out', async () => {
  const [was] = await write(`SELECT checksum FROM schema_migration WHERE name = '2001_access.sql'`);
  await write(`UPDATE schema_migration SET checksum = 'of another text' WHERE name = '2001_access.sql'`);
  await expect(migrate(database.ownerUrl)).rejects.toThrow(/2001_access\.sql.*use an empty database/);
  await write(`UPDATE schema_migration SET checksum = '${was?.checksum}' WHERE name = '2001_access.sql'`);
});

describe('a database of before the squash', () => {
  const LAST = 'f11bbdf23df356192c076f32221099a529b6b1d241920ac4da7d4319e9bee844';
  const becomes = async (last: string, checksum: string) => {
    await write('DELETE FROM schema_migration');
    await write(`INSERT INTO schema_migration (name, checksum) VALUES
      ('1001_access_and_changes.sql', 'x'), ('1285_open_deductions.sql', 'y'), ('${last}', '${checksum}')`);
  };

  test('with all of it is taken over, keeps the names that a version before looks for, and runs nothing', async () => {
    await becomes('1442_equity_by_month.sql', LAST);
    expect(await planMigrations(database.ownerUrl)).toEqual(['The schema is up to date.']);
    expect(await migrate(database.ownerUrl)).toEqual({ applied: [] });
    const names = (await write('SELECT name FROM schema_migration ORDER BY 1')).map(({ name }) => name);
    const squashed = (await readMigrations()).map(({ name }) => name);
    expect(names).toEqual([
      '1001_access_and_changes.sql',
      '1285_open_deductions.sql',
      '1442_equity_by_month.sql',
      ...squashed.filter((name) => name <= '2023_partitions.sql'),
    ]);
    expect(await migrate(database.ownerUrl)).toEqual({ applied: [] });
  });

  test.each([
    ['without its last migrations', '1438_program_orders.sql', 'z'],
    ['with another last migration of that name', '1442_equity_by_month.sql', 'z'],
    ['of a still earlier line', '0001_access.sql', 'z'],
  ])('%s is refused, with the way out', async (_what, last, checksum) => {
    await becomes(last, checksum);
    await expect(migrate(database.ownerUrl)).rejects.toThrow(
      /not one of this version.*migrate it with the last version that has this one, or use an empty database/,
    );
  });
});
