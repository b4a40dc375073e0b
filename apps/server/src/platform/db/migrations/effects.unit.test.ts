import { expect, test } from 'vitest';
import { readMigrations } from '../installation/migrate.ts';
import type { Effect } from './effect.ts';
import { effectsOf } from './effects.ts';

const only = async (statement: string): Promise<Partial<Effect> | undefined> =>
  (await effectsOf(statement))[0];

test.each<[statement: string, effect: Partial<Effect>]>([
  ['CREATE INDEX i ON trader (name)', { tables: ['trader'], blocks: 'writes', work: 'scan', breaks: null }],
  ['CREATE INDEX CONCURRENTLY i ON trader (name)', { blocks: 'nothing', work: 'scan' }],
  ['ALTER TABLE trader ADD COLUMN x text', { blocks: 'reads and writes', work: 'none', breaks: null }],
  ["ALTER TABLE trader ADD COLUMN x text NOT NULL DEFAULT ''", { work: 'none', breaks: null }],
  [
    'ALTER TABLE trader ADD COLUMN x text NOT NULL',
    { breaks: 'the version before writes no x, which has no default' },
  ],
  ['ALTER TABLE trader ADD COLUMN x int GENERATED ALWAYS AS (1) STORED', { work: 'rewrite', breaks: null }],
  ['ALTER TABLE trader DROP COLUMN x', { breaks: 'it drops what the version before may use' }],
  ['ALTER TABLE trader RENAME COLUMN x TO y', { breaks: 'it renames what the version before uses' }],
  ['ALTER TABLE trader ALTER COLUMN x TYPE bigint', { work: 'rewrite' }],
  ['ALTER TABLE trader ALTER COLUMN x SET NOT NULL', { work: 'scan' }],
  [
    'ALTER TABLE trader ALTER COLUMN x DROP DEFAULT',
    { breaks: 'the version before may rely on the default' },
  ],
  ['ALTER TABLE trader ADD CHECK (x > 0)', { blocks: 'reads and writes', work: 'scan', breaks: null }],
  ['ALTER TABLE trader ADD CONSTRAINT c CHECK (x > 0) NOT VALID', { work: 'none' }],
  ['ALTER TABLE trader VALIDATE CONSTRAINT c', { blocks: 'nothing', work: 'scan' }],
  [
    'ALTER TABLE trader ADD FOREIGN KEY (x) REFERENCES community (id)',
    { tables: ['trader', 'community'], blocks: 'writes', work: 'scan' },
  ],
  ['DROP TABLE trader', { breaks: 'it drops what the version before may use' }],
  ['DROP FUNCTION app.f()', { breaks: 'it drops what the version before may use' }],
  ['REVOKE ALL ON trader FROM copydesk_app', { breaks: 'it revokes what the version before may need' }],
  ['UPDATE trader SET name = NULL', { tables: ['trader'], blocks: 'nothing', work: 'rows' }],
  ['DO $$ BEGIN END $$', { work: 'unknown' }],
  [
    'CREATE TABLE a (b uuid REFERENCES identity."user" (id))',
    { tables: ['identity.user'], blocks: 'writes' },
  ],
])('%s', async (statement, effect) => {
  expect(await only(statement)).toMatchObject(effect);
});

test('a table of the migration itself concerns no one yet, and indexes may go', async () => {
  const own = `CREATE TABLE a (b int); CREATE INDEX i ON a (b); ALTER TABLE a ENABLE ROW LEVEL SECURITY;
    REVOKE ALL ON a FROM copydesk_app; INSERT INTO a VALUES (1);`;
  expect(await effectsOf(own)).toEqual([]);
  expect(await effectsOf('DROP INDEX i')).toEqual([]);
});

test('an exception is the comment before its statement, and of no other', async () => {
  const text = `SELECT 1;
-- compatible: one row
CREATE INDEX i ON trader (name);
CREATE INDEX j ON trader (name);`;
  expect((await effectsOf(text)).map(({ excuse }) => excuse)).toEqual(['one row', null]);
});

/** Migrations from here on run while the version before serves requests. */
const FIRST_HELD = '2024';

test('each migration leaves the version before running, and lets writes go on', async () => {
  for (const { name, text } of await readMigrations()) {
    if (name < FIRST_HELD) continue;
    const effects = await effectsOf(text);
    const problems = effects.filter(
      ({ breaks, blocks, work, excuse }) =>
        excuse === null &&
        (breaks !== null || (blocks !== 'nothing' && (work === 'scan' || work === 'rewrite'))),
    );
    // docs/operations/upgrading.md; an exception says why: -- compatible: ...
    expect(problems, name).toEqual([]);
    if (text.includes(' VALIDATE CONSTRAINT ') && effects.every(({ excuse }) => excuse === null))
      expect(effects, name).toHaveLength(1);
    // Outside a transaction a first statement would stay when a second one fails.
    if (text.includes(' CONCURRENTLY ')) expect(effects, name).toHaveLength(1);
  }
});
