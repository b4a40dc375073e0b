import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { asOwner } from '../../../../../tests/support/owner.ts';
import { sealAudit } from '../../../../../tests/support/seal-audit.ts';
import { send } from '../../../../../tests/support/send.ts';
import { createTestApp } from '../../../../../tests/support/test-app.ts';
import { WHOLE_SCOPE } from '../db/database.ts';
import { beat } from '../work/heartbeat.store.ts';
import { type HeadWatch, watchAuditHead } from './watch-head.ts';

const ACTOR = { kind: 'system', id: 'test', name: 'Test' } as const;

const product = await createTestApp({ scale: null });
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await product.close();
});

let dataDir: string;
let file: string;
let watches: HeadWatch[] = [];
beforeEach(async () => {
  for (const watch of watches) await watch.stop();
  watches = [];
  dataDir = mkdtempSync(join(tmpdir(), 'copydesk-heads-'));
  folders.push(dataDir);
  file = join(dataDir, 'audit-heads.jsonl');
  product.logged.length = 0;
  await act();
});

const write = () =>
  product.db.write(WHOLE_SCOPE, ACTOR, async (tx) => {
    for (const id of ['1', '2', '3']) tx.audit({ action: 'test.done', target: { kind: 'test', id } });
  });
const act = async () => {
  await write();
  await sealAudit(product.db);
};
/** A worker that starts. */
const start = async (folder: string | null = dataDir) => {
  const watch = await watchAuditHead({
    db: product.db,
    dataDir: folder ?? undefined,
    log: product.log,
    now: () => new Date(),
  });
  watches.push(watch);
  return watch;
};
const heads = () =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const errors = () => product.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
const tamper = (statement: string) =>
  asOwner(
    product.ownerUrl,
    `DO $$ BEGIN ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only;
       ALTER TABLE audit_seal DISABLE TRIGGER audit_seal_append_only;
       ALTER TABLE audit_entry NO FORCE ROW LEVEL SECURITY; ${statement}; ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
       ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only;
       ALTER TABLE audit_seal ENABLE TRIGGER audit_seal_append_only; END $$`,
  );
const cut = (entries: number) =>
  tamper(`DELETE FROM audit_entry WHERE seq > (SELECT max(seq) FROM audit_entry) - ${entries};
    DELETE FROM audit_seal WHERE position > (SELECT max(position) FROM audit_seal) - ${entries}`);

test('the head is noted on start and when it has moved, in a file of the owner’s own and in the log', async () => {
  const watch = await start();
  await watch.check();
  expect(heads()).toHaveLength(1);
  await act();
  await watch.check();
  const [first, second] = heads();
  expect(Number(second.sequence)).toBe(Number(first.sequence) + 3);
  expect(second.chain).toBe(first.chain);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(product.logged.join('')).toContain(second.hash);
  expect([watch.problem(), errors()]).toEqual([null, []]);
});

test('entries cut off at the end show, at the next comparison and after a restart', async () => {
  const watch = await start();
  await cut(2);
  await watch.check();
  expect(watch.problem()).toBe('cut');
  expect(errors()[0]).toMatchObject({
    problem: 'cut',
    msg: 'Audit entries are missing at the end of the chain',
  });
  expect((await start()).problem()).toBe('cut');
  expect(heads()).toHaveLength(1);
});

test('nor does it help to write on after the cut', async () => {
  const watch = await start();
  await cut(1);
  await act();
  await watch.check();
  expect(watch.problem()).toBe('rewritten');
  // It stays, however far the new chain gets: a head in doubt is not noted.
  await act();
  await watch.check();
  expect([watch.problem(), heads().length]).toEqual(['rewritten', 1]);
});

test('a chain that was thrown away shows, and so does another one in its place', async () => {
  const watch = await start();
  await tamper('DELETE FROM audit_entry; DELETE FROM audit_seal');
  await watch.check();
  expect(watch.problem()).toBe('replaced');
  await act();
  await act();
  await watch.check();
  expect(watch.problem()).toBe('replaced');
});

test('entries that were removed before they were sealed show', async () => {
  const watch = await start();
  await write();
  await tamper('DELETE FROM audit_entry WHERE seq = (SELECT max(seq) FROM audit_entry)');
  await watch.check();
  expect(watch.problem()).toBe('removed');
  expect(errors()[0]).toMatchObject({ msg: 'Audit entries were removed before they were sealed' });
  // What was written since is sealed, and covers nothing up.
  await act();
  await watch.check();
  expect(watch.problem()).toBe('removed');
  await asOwner(product.ownerUrl, 'DELETE FROM audit_unsealed');
});

test('it is over when a person has moved the file aside', async () => {
  const watch = await start();
  await cut(1);
  await watch.check();
  rmSync(file);
  await watch.check();
  expect(watch.problem()).toBeNull();
  expect(heads()).toHaveLength(1);
});

test('a line that the machine did not finish is passed over, and a damaged file is a problem', async () => {
  const watch = await start();
  appendFileSync(file, '{"at":"2026-0');
  await watch.check();
  expect(watch.problem()).toBeNull();
  await act();
  await watch.check();
  await act();
  await watch.check();
  expect(watch.problem()).toBeNull();
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(4);
  writeFileSync(file, 'not a head\n');
  await watch.check();
  expect(watch.problem()).toBe('unreadable');
  expect(readFileSync(file, 'utf8')).toBe('not a head\n');
});

test('without a data folder the head is noted in the log alone', async () => {
  const watch = await start(null);
  expect(watch.problem()).toBeNull();
  expect(product.logged.join('')).toContain('head of the audit chain');
});

test('readiness reports whether a worker runs, and its findings', async () => {
  const ready = async () => (await send(product.app, 'GET /api/ready', {})).json().data;
  const worker = crypto.randomUUID();
  expect(await ready()).toMatchObject({
    workers: 0,
    audit: 'unchecked',
    problems: [expect.stringMatching(/^No worker has reported/)],
  });
  await beat(product.db, worker, { problem: null, noted: null });
  expect(await ready()).toMatchObject({ workers: 1, audit: 'intact', problems: [] });
  await beat(product.db, worker, { problem: 'cut', noted: null });
  expect(await ready()).toMatchObject({
    workers: 1,
    audit: 'broken',
    problems: [expect.stringMatching(/audit chain/)],
  });
});
