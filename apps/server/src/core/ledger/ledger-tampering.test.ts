import { randomUUID } from 'node:crypto';
import { depositReceived, ledgerAccount } from '@copydesk/domain/ledger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cheat,
  insertEnd,
  insertJournal,
  insertPostings,
  insertReservation,
  type Query,
} from '../../../../../tests/support/world/ledger-cheats.ts';
import {
  ALL,
  createLedgerWorld,
  type LedgerWorld,
  PROVIDERS,
  source,
} from '../../../../../tests/support/world/ledger-world.ts';
import { findBalance } from './ledger.views.ts';
import { reserve } from './reservations.service.ts';

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

test('an honest transaction of the same kind is let through', async () => {
  await cheat(world, async (query) =>
    insertPostings(query, await insertJournal(query), [wallet, '5'], [deposit, '-5']),
  );
  const account = ledgerAccount.depositWallet(trader);
  expect(await world.db.read(ALL, (tx) => findBalance(tx, account))).toMatchObject({ posted: '105' });
});

test.each<[string, RegExp, (query: Query) => Promise<unknown>]>([
  [
    'a posting of no journal',
    /violates foreign key/,
    (query) => insertPostings(query, randomUUID(), [wallet, '1'], [deposit, '-1']),
  ],
  [
    'an unbalanced journal',
    /not balanced/,
    async (query) => insertPostings(query, await insertJournal(query), [wallet, '5'], [deposit, '-4']),
  ],
  ['a journal without postings', /at least two postings/, (query) => insertJournal(query)],
  [
    'a journal of one posting',
    /at least two postings/,
    async (query) => insertPostings(query, await insertJournal(query), [wallet, '1']),
  ],
  [
    'more postings for an old journal',
    /journal is closed/,
    (query) => insertPostings(query, foreign, [wallet, '1'], [deposit, '-1']),
  ],
  [
    'more postings for a journal that was found balanced',
    /journal is closed/,
    async (query) => {
      const id = await insertJournal(query);
      await insertPostings(query, id, [wallet, '1'], [deposit, '-1']);
      await query('SET CONSTRAINTS ALL IMMEDIATE');
      const { rows } = await query(
        `INSERT INTO ledger_account (kind, owner_id, asset) VALUES ('trader_deposit', $1, 'USDT') RETURNING id`,
        [randomUUID()],
      );
      await insertPostings(query, id, [rows[0].id, '1']);
    },
  ],
  [
    'a posting of zero',
    /posting_amount_check/,
    async (query) => insertPostings(query, await insertJournal(query), [wallet, '0'], [deposit, '0']),
  ],
  [
    'a posting that is not a number',
    /posting_amount_check/,
    async (query) => insertPostings(query, await insertJournal(query), [wallet, 'NaN'], [deposit, 'NaN']),
  ],
  [
    'a balance below zero',
    /ledger_balance_covered/,
    async (query) => insertPostings(query, await insertJournal(query), [wallet, '-500'], [deposit, '500']),
  ],
  [
    'a posting in another asset than the account’s',
    /violates foreign key/,
    async (query) =>
      query(`INSERT INTO posting (journal_id, account_id, asset, amount) VALUES ($1, $2, 'BNB', 1)`, [
        await insertJournal(query),
        wallet,
      ]),
  ],
  [
    'a posting shown to a provider whose it is not',
    /names another provider/,
    async (query) =>
      query(
        `INSERT INTO posting (journal_id, account_id, asset, provider_id, amount) VALUES ($1, $2, 'USDT', $3, 1)`,
        [await insertJournal(query), wallet, PROVIDERS[0]],
      ),
  ],
  [
    'a reversal that mirrors nothing',
    /does not mirror/,
    async (query) =>
      insertPostings(query, await insertJournal(query, 'reversal', journal), [wallet, '-1'], [deposit, '1']),
  ],
  [
    'postings while the scope is closed behind the policies’ back',
    /row-level security|ledger_balance_covered|not balanced/,
    async (query) =>
      query(
        `INSERT INTO posting (journal_id, account_id, asset, amount)
         SELECT $1, a.id, 'USDT', a.amount + length(set_config('copydesk.scope', '', true))
         FROM (VALUES ($2::uuid, -500::numeric), ($3::uuid, 500)) a (id, amount)`,
        [await insertJournal(query), wallet, deposit],
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
      const id = await insertJournal(query);
      await insertEnd(query, reservation, id);
      await insertPostings(query, id, [wallet, '1'], [deposit, '-1']);
    },
  ],
  [
    'the end of a reservation for a journal of before',
    /journal is closed/,
    (query) => insertEnd(query, reservation, journal),
  ],
  [
    'a reservation that is not a number',
    /ledger_reservation_amount_check/,
    (query) => insertReservation(query, wallet, 'NaN'),
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
  await expect(cheat(world, work)).rejects.toThrow(message);
});
