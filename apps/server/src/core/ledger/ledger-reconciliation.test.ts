import { randomUUID } from 'node:crypto';
import { depositReceived, gasFunded, gasSpent, invoiceIssued, ledgerAccount } from '@copydesk/domain/ledger';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ALL,
  createLedgerWorld,
  type LedgerWorld,
  makeInvoice,
  source,
} from '../../../../../tests/support/world/ledger-world.ts';
import { bindKysely } from '../../platform/db/bound-kysely.ts';
import { reconcileLedger } from './ledger.jobs.ts';
import { listMismatches, type MismatchKind } from './mismatches.views.ts';
import { reserve, voidReservations } from './reservations.service.ts';

let world: LedgerWorld;
let owner: pg.Client;
beforeAll(async () => {
  world = await createLedgerWorld();
  const trader = randomUUID();
  await world.post(depositReceived(trader, 1000n, source('deposit')));
  await world.post(gasFunded(50n, source()), invoiceIssued(makeInvoice()));
  await world.post(gasSpent(20n, source()));
  await world.write(async (tx) => {
    const account = ledgerAccount.traderDeposit(trader);
    await reserve(tx, source(), [{ account, units: 300n }]);
    await voidReservations(tx, await reserve(tx, source(), [{ account, units: 200n }]));
  });
  owner = new pg.Client({ connectionString: world.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

const RECENT = new Date(Date.now() - 3_600_000);
const of = (kind: string) => `(SELECT id FROM ledger_account WHERE kind = '${kind}' LIMIT 1)`;

/** Each of these goes past every guard, as a person with the owner's password could. */
const CORRUPTIONS: [string, MismatchKind[], string][] = [
  [
    'a balance that is too high',
    ['posted'],
    `UPDATE ledger_balance SET posted = posted + 1 WHERE account_id = ${of('gas_wallet')}`,
  ],
  [
    'a balance that is too low',
    ['posted'],
    `UPDATE ledger_balance SET posted = posted - 1 WHERE account_id = ${of('gas_spent')}`,
  ],
  [
    'an amount set aside without a purpose',
    ['pending'],
    `UPDATE ledger_balance SET pending = 1 WHERE account_id = ${of('gas_wallet')}`,
  ],
  [
    'a reservation that was forgotten',
    ['pending'],
    `UPDATE ledger_balance SET pending = 0 WHERE account_id = ${of('trader_deposit')}`,
  ],
  [
    'a reservation that is gone',
    ['pending'],
    `DELETE FROM ledger_reservation r WHERE NOT EXISTS (SELECT FROM ledger_reservation_end e WHERE e.reservation_id = r.id)`,
  ],
  ['an end that is gone', ['pending'], 'DELETE FROM ledger_reservation_end'],
  [
    'a posting that was changed',
    ['journal', 'posted'],
    `UPDATE posting SET amount = amount + 7 WHERE account_id = ${of('gas_wallet')} AND amount > 0`,
  ],
  [
    'a posting that is gone',
    ['journal', 'posted'],
    `DELETE FROM posting WHERE account_id = ${of('deposit_wallet')}`,
  ],
  [
    'a posting on another account',
    ['posted'],
    `UPDATE posting SET account_id = ${of('platform')} WHERE account_id = ${of('gas_spent')}`,
  ],
  [
    'a journal without postings',
    ['journal', 'posted'],
    `DELETE FROM posting WHERE journal_id = (SELECT id FROM journal WHERE kind = 'gas_spent')`,
  ],
  [
    'a balance that is gone',
    ['balance_missing'],
    `DELETE FROM ledger_balance WHERE account_id = ${of('billed')}`,
  ],
  [
    'an overdraft, with postings and balance in agreement',
    ['overdrawn'],
    `UPDATE posting SET amount = CASE WHEN amount > 0 THEN 100 ELSE -100 END WHERE journal_id = (SELECT id FROM journal WHERE kind = 'deposit_received');
     UPDATE ledger_balance SET posted = 100 WHERE account_id IN (${of('trader_deposit')}, ${of('deposit_wallet')})`,
  ],
];

test.each(CORRUPTIONS)('finds %s', async (_what, kinds, statements) => {
  await owner.query('BEGIN');
  try {
    await owner.query("SELECT set_config('copydesk.scope', 'all', true)");
    for (const table of [
      'posting',
      'journal',
      'ledger_balance',
      'ledger_reservation',
      'ledger_reservation_end',
    ])
      await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await owner.query('ALTER TABLE ledger_balance DROP CONSTRAINT ledger_balance_covered');
    await owner.query(statements);
    const tx = { scope: ALL, sql: bindKysely(owner), filtersScope: true, isCurrent: true as const };
    for (const since of [null, RECENT])
      expect([...new Set((await listMismatches(tx, since)).map(({ kind }) => kind))].sort()).toEqual(kinds);
  } finally {
    await owner.query('ROLLBACK');
  }
});

test('reports nothing about a consistent ledger', async () => {
  for (const since of [null, RECENT])
    expect(await world.db.read(ALL, (tx) => listMismatches(tx, since))).toEqual([]);
});

test('the job reports its findings as errors, and corrects nothing', async () => {
  const logged: { level: number; mismatches?: unknown[] }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const run = (reach: 'recent' | 'all', now = () => new Date()) =>
    reconcileLedger({ db: world.db, log, now }, reach);
  expect(await run('recent')).toBe(0);
  expect(logged).toEqual([]);
  await world.asOwner(`UPDATE ledger_balance SET posted = posted + 5 WHERE account_id = ${of('gas_wallet')}`);
  for (const reach of ['recent', 'all', 'all'] as const) expect(await run(reach)).toBe(1);
  expect(logged).toHaveLength(3);
  expect(logged[0]).toMatchObject({
    level: 50,
    mismatches: [{ kind: 'posted', expected: '30', found: '35' }],
  });
  // What was posted long ago is looked at by the nightly run.
  const nextWeek = () => new Date(Date.now() + 7 * 86_400_000);
  expect(await run('recent', nextWeek)).toBe(0);
  expect(await run('all', nextWeek)).toBe(1);
});
