import { randomUUID } from 'node:crypto';
import { consolidated, depositReceived, invoiceIssued, ledgerAccount } from '@copydesk/domain';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBalance } from '../../apps/server/src/features/ledger/ledger.views.ts';
import { reserve } from '../../apps/server/src/features/ledger/reservations.service.ts';
import {
  ALL,
  createLedgerWorld,
  type LedgerWorld,
  makeInvoice,
  PROVIDERS,
  source,
} from '../support/ledger.ts';

// What the application's role can do to the ledger with statements of its own, past all of the code.

let world: LedgerWorld;
/** Two accounts with 100 units each, and the journal that put them there. */
let wallet: string;
let deposit: string;
let journal: string;
/** A journal about other accounts than these. */
let foreign: string;
let reservation: string;
const trader = randomUUID();

beforeAll(async () => {
  world = await createLedgerWorld();
  const [posted] = await world.post(depositReceived(trader, 100n, source('deposit')));
  journal = posted?.id as string;
  const [elsewhere] = await world.post(depositReceived(randomUUID(), 1n, source('deposit')));
  foreign = elsewhere?.id as string;
  const idOf = async (account: Parameters<typeof findBalance>[1]) =>
    (await world.db.read(ALL, (tx) => findBalance(tx, account)))?.account_id as string;
  wallet = await idOf(ledgerAccount.depositWallet(trader));
  deposit = await idOf(ledgerAccount.traderDeposit(trader));
  const account = ledgerAccount.depositWallet(trader);
  [reservation] = (await world.write((tx) => reserve(tx, source(), [{ account, units: 10n }]))) as [string];
});
afterAll(() => world.close());

type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** Runs statements as the application in one transaction that sees everything, and commits. */
async function cheat(work: (query: Query) => Promise<unknown>): Promise<void> {
  const client = await world.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('copydesk.scope', 'all', true)");
    await work((text, values) => client.query(text, values));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function openJournal(
  query: Query,
  kind = 'gas_spent',
  reverses: string | null = null,
): Promise<string> {
  const { rows } = await query(
    `INSERT INTO journal (kind, source_type, source_id, reverses, actor_kind, actor_id, actor_name)
     VALUES ($1, 'cheat', gen_random_uuid()::text, $2, 'system', 'x', 'x') RETURNING id`,
    [kind, reverses],
  );
  return rows[0].id;
}
const insert = (query: Query, id: string, ...postings: [account: string, amount: string][]) =>
  query(
    `INSERT INTO posting (journal_id, account_id, asset, amount)
     SELECT $1, * FROM unnest($2::uuid[], array_fill('USDT'::text, ARRAY[$4::int]), $3::numeric[])`,
    [id, postings.map(([account]) => account), postings.map(([, amount]) => amount), postings.length],
  );

test('an honest transaction of the same kind is let through', async () => {
  await cheat(async (query) => insert(query, await openJournal(query), [wallet, '5'], [deposit, '-5']));
  const account = ledgerAccount.depositWallet(trader);
  expect(await world.db.read(ALL, (tx) => findBalance(tx, account))).toMatchObject({ posted: '105' });
});

test.each<[string, RegExp, (query: Query) => Promise<unknown>]>([
  [
    'a posting of no journal',
    /violates foreign key/,
    (query) => insert(query, randomUUID(), [wallet, '1'], [deposit, '-1']),
  ],
  [
    'an unbalanced journal',
    /not balanced/,
    async (query) => insert(query, await openJournal(query), [wallet, '5'], [deposit, '-4']),
  ],
  ['a journal without postings', /at least two postings/, (query) => openJournal(query)],
  [
    'a journal of one posting',
    /at least two postings/,
    async (query) => insert(query, await openJournal(query), [wallet, '1']),
  ],
  [
    'more postings for an old journal',
    /journal is closed/,
    (query) => insert(query, foreign, [wallet, '1'], [deposit, '-1']),
  ],
  [
    'more postings for a journal that was found balanced',
    /journal is closed/,
    async (query) => {
      const id = await openJournal(query);
      await insert(query, id, [wallet, '1'], [deposit, '-1']);
      await query('SET CONSTRAINTS ALL IMMEDIATE');
      const { rows } = await query(
        `INSERT INTO ledger_account (kind, owner_id, asset) VALUES ('trader_deposit', $1, 'USDT') RETURNING id`,
        [randomUUID()],
      );
      await insert(query, id, [rows[0].id, '1']);
    },
  ],
  [
    'a posting of zero',
    /posting_amount_check/,
    async (query) => insert(query, await openJournal(query), [wallet, '0'], [deposit, '0']),
  ],
  [
    'a posting that is not a number',
    /posting_amount_check/,
    async (query) => insert(query, await openJournal(query), [wallet, 'NaN'], [deposit, 'NaN']),
  ],
  [
    'a balance below zero',
    /ledger_balance_covered/,
    async (query) => insert(query, await openJournal(query), [wallet, '-500'], [deposit, '500']),
  ],
  [
    'a posting in another asset than the account’s',
    /violates foreign key/,
    async (query) =>
      query(`INSERT INTO posting (journal_id, account_id, asset, amount) VALUES ($1, $2, 'BNB', 1)`, [
        await openJournal(query),
        wallet,
      ]),
  ],
  [
    'a posting shown to a provider whose it is not',
    /names another provider/,
    async (query) =>
      query(
        `INSERT INTO posting (journal_id, account_id, asset, provider_id, amount) VALUES ($1, $2, 'USDT', $3, 1)`,
        [await openJournal(query), wallet, PROVIDERS[0]],
      ),
  ],
  [
    'a reversal that mirrors nothing',
    /does not mirror/,
    async (query) =>
      insert(query, await openJournal(query, 'reversal', journal), [wallet, '-1'], [deposit, '1']),
  ],
  [
    'postings while the scope is closed behind the policies’ back',
    /row-level security|ledger_balance_covered|not balanced/,
    async (query) =>
      query(
        `INSERT INTO posting (journal_id, account_id, asset, amount)
         SELECT $1, a.id, 'USDT', a.amount + length(set_config('copydesk.scope', '', true))
         FROM (VALUES ($2::uuid, -500::numeric), ($3::uuid, 500)) a (id, amount)`,
        [await openJournal(query), wallet, deposit],
      ),
  ],
  [
    'a transaction id of its own choice',
    /permission denied/,
    (query) =>
      query(`INSERT INTO journal (kind, source_type, source_id, actor_kind, actor_id, actor_name, xid)
      VALUES ('x', 'x', 'x', 'system', 'x', 'x', '1')`),
  ],
  [
    'an account that may be overdrawn',
    /permission denied|non-DEFAULT value/,
    (query) =>
      query(
        `INSERT INTO ledger_account (kind, owner_id, asset, allow_negative) VALUES ('held', $1, 'USDT', true)`,
        [randomUUID()],
      ),
  ],
  [
    'the end of a reservation for a journal that does not take it',
    /does not take what was reserved/,
    async (query) => {
      const id = await openJournal(query);
      await query(
        `INSERT INTO ledger_reservation_end (reservation_id, journal_id, actor_kind, actor_id, actor_name)
         VALUES ($1, $2, 'system', 'x', 'x')`,
        [reservation, id],
      );
      await insert(query, id, [wallet, '1'], [deposit, '-1']);
    },
  ],
  [
    'the end of a reservation for a journal of before',
    /journal is closed/,
    (query) =>
      query(
        `INSERT INTO ledger_reservation_end (reservation_id, journal_id, actor_kind, actor_id, actor_name)
         VALUES ($1, $2, 'system', 'x', 'x')`,
        [reservation, journal],
      ),
  ],
  [
    'a reservation that is not a number',
    /ledger_reservation_amount_check/,
    (query) =>
      query(
        `INSERT INTO ledger_reservation (account_id, amount, source_type, source_id, actor_kind, actor_id, actor_name)
         VALUES ($1, 'NaN', 'x', 'x', 'system', 'x', 'x')`,
        [wallet],
      ),
  ],
  [
    'a balance written by hand',
    /permission denied/,
    (query) => query('UPDATE ledger_balance SET posted = posted + 1'),
  ],
  [
    'a balance of nothing',
    /permission denied/,
    (query) =>
      query('INSERT INTO ledger_balance (account_id, allow_negative) VALUES ($1, false)', [randomUUID()]),
  ],
])('refuses %s', async (_what, message, work) => {
  await expect(cheat(work)).rejects.toThrow(message);
});

describe('append-only', () => {
  const tables = [
    'ledger_account',
    'journal',
    'posting',
    'ledger_balance',
    'ledger_reservation',
    'ledger_reservation_end',
  ];
  const column: Record<string, string> = {
    posting: 'asset',
    ledger_balance: 'pending',
    ledger_reservation_end: 'journal_id',
  };

  test.each(tables)('the application neither updates, deletes nor truncates %s', async (table) => {
    for (const statement of [
      `UPDATE ${table} SET ${column[table] ?? 'created_at'} = ${column[table] ?? 'created_at'}`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
    ])
      await expect(
        cheat((query) => query(statement)),
        statement,
      ).rejects.toThrow(/permission denied/);
  });

  test.each(tables)('nor does the owner, by an oversight, delete from %s', async (table) => {
    await expect(world.asOwner(`DELETE FROM ${table}`)).rejects.toThrow(/append-only/);
    await expect(world.asOwner(`TRUNCATE ${table} CASCADE`)).rejects.toThrow(/append-only/);
  });
});

test('without the scope of everything nothing is written, by whatever way', async () => {
  for (const scope of ['', 'providers'])
    await expect(
      cheat(async (query) => {
        await query(
          "SELECT set_config('copydesk.scope', $1, true), set_config('copydesk.provider_ids', $2, true)",
          [scope, PROVIDERS[0]],
        );
        await openJournal(query);
      }),
    ).rejects.toThrow(/row-level security/);
});

test('a balance is never posted to twice by an invoice that is issued twice at once', async () => {
  const invoice = makeInvoice();
  const posted = await Promise.all(Array.from({ length: 8 }, () => world.post(invoiceIssued(invoice))));
  expect(posted.flat().filter(({ isNew }) => isNew)).toHaveLength(1);
  const spend = () => world.post(consolidated(randomUUID(), [{ traderId: trader, units: 60n }], source()));
  const outcomes = await Promise.allSettled([spend(), spend(), spend()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
