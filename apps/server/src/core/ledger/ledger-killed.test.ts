import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { depositReceived, ledgerAccount } from '@copydesk/domain/ledger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ALL,
  createLedgerWorld,
  type LedgerWorld,
  source,
} from '../../../../../tests/support/world/ledger-world.ts';
import { balanceOf, expectSound } from '../../../../../tests/support/world/sound-ledger.ts';
import { postJournal } from './ledger.service.ts';

const trader = randomUUID();

let world: LedgerWorld;
beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());

test('connections that are killed in the middle leave nothing half', { timeout: 60_000 }, async () => {
  const account = ledgerAccount.depositWallet(trader);
  const before = await balanceOf(world, account);
  const counted = async () =>
    (await world.asOwner<{ n: number }>('SELECT count(*)::int AS n FROM journal'))[0]?.n ?? 0;
  const journals = await counted();
  let committed = 0n;
  let killed = 0;
  for (let round = 0; round < 40; round += 1) {
    const draft = depositReceived(trader, 7n, source('deposit'));
    const client = await world.pool.connect();
    const ended = once(client, 'end').catch(() => {});
    client.on('error', () => {});
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    client.release();
    // The pool gives the same connection again: it is killed at whatever point the transaction has reached.
    const writing = world.db.write(ALL, { kind: 'system', id: 'x', name: 'x' }, async (tx) => {
      const killing = world.asOwner('SELECT pg_terminate_backend($1)', [rows[0].pid]);
      if (round % 2 === 0) await killing;
      await postJournal(tx, draft);
      if (round % 4 === 1) await killing;
    });
    const isDone = await writing.then(
      () => true,
      () => false,
    );
    if (isDone) committed += 7n;
    else killed += 1;
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
    // Not acknowledged is not the same as not done: what counts is that it is whole.
    const [found] = await world.asOwner<{ n: number }>(
      `SELECT count(p.id)::int AS n FROM journal j LEFT JOIN posting p ON p.journal_id = j.id WHERE j.source_id = $1`,
      [draft.source.id],
    );
    expect([0, 2]).toContain(found?.n);
    if (!isDone && found?.n === 2) committed += 7n;
  }
  expect(killed).toBeGreaterThan(10);
  await expectSound(world);
  expect((await balanceOf(world, account)) - before).toBe(committed);
  expect((await counted()) - journals).toBe(Number(committed / 7n));
});
