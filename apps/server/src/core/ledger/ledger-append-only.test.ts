import { randomUUID } from 'node:crypto';
import { consolidated, depositReceived, invoiceIssued, ledgerAccount } from '@copydesk/domain/ledger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  makeInvoice,
  PROVIDERS,
  source,
} from '../../../../../tests/support/world/ledger-world.ts';
import { findBalance } from './ledger.views.ts';
import { reserve } from './reservations.service.ts';

let world: LedgerWorld;
beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());

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
        cheat(world, (query) => query(statement)),
        statement,
      ).rejects.toThrow(/permission denied/);
  });

  test.each(tables)('nor does the owner, by an oversight, delete from %s', async (table) => {
    await expect(world.asOwner(`DELETE FROM ${table}`)).rejects.toThrow(/append-only/);
    await expect(world.asOwner(`TRUNCATE ${table} CASCADE`)).rejects.toThrow(/append-only/);
  });
});

test('without the scope of everything every write is refused, by any path', async () => {
  for (const scope of ['', 'providers'])
    await expect(
      cheat(world, async (query) => {
        await query(
          "SELECT set_config('copydesk.scope', $1, true), set_config('copydesk.provider_ids', $2, true)",
          [scope, PROVIDERS[0]],
        );
        await insertJournal(query);
      }),
    ).rejects.toThrow(/row-level security/);
});

// A trigger of such a transaction would not see the rows either, and could not keep a balance that it does not see.
describe('a transaction that began before its subject', () => {
  const OLD = 'BEGIN ISOLATION LEVEL REPEATABLE READ';

  /** Opens a transaction, takes its snapshot, lets another session act, and goes on. */
  const afterwards = (
    elsewhere: () => Promise<string>,
    work: (query: Query, id: string) => Promise<unknown>,
  ) =>
    cheat(
      world,
      async (query) => {
        await query('SELECT count(*) FROM journal');
        await work(query, await elsewhere());
      },
      OLD,
    );
  const deposit = async (trader: string) =>
    (await world.post(depositReceived(trader, 100n, source('deposit'))))[0]?.id as string;
  const accountOf = async (account: Parameters<typeof findBalance>[1]) =>
    (await world.db.read(ALL, (tx) => findBalance(tx, account)))?.account_id as string;
  const open = (query: Query, kind: string) =>
    query(`INSERT INTO ledger_account (kind, owner_id, asset) VALUES ($1, $2, 'USDT') RETURNING id`, [
      kind,
      randomUUID(),
    ]).then(({ rows }) => rows[0].id as string);

  test('adds no postings to a journal that it does not see', async () => {
    const work = afterwards(
      () => deposit(randomUUID()),
      async (query, journal) => insertPostings(query, journal, [await open(query, 'deposit_wallet'), '5']),
    );
    await expect(work).rejects.toThrow(/violates foreign key/);
  });

  test('posts nothing to an account whose balance is out of scope', async () => {
    const trader = randomUUID();
    const work = afterwards(
      async () => {
        await deposit(trader);
        return accountOf(ledgerAccount.depositWallet(trader));
      },
      async (query, account) =>
        insertPostings(
          query,
          await insertJournal(query),
          [account, '5'],
          [await open(query, 'trader_deposit'), '-5'],
        ),
    );
    await expect(work).rejects.toThrow(/violates foreign key/);
  });

  test('neither reserves there, nor ends a reservation that it does not see', async () => {
    const trader = randomUUID();
    const account = ledgerAccount.depositWallet(trader);
    const reserved = afterwards(
      async () => {
        await deposit(trader);
        return accountOf(account);
      },
      (query, id) => insertReservation(query, id, '5'),
    );
    await expect(reserved).rejects.toThrow(/violates foreign key/);
    const ended = afterwards(
      async () => (await world.write((tx) => reserve(tx, source(), [{ account, units: 5n }])))[0] as string,
      (query, id) => insertEnd(query, id, null),
    );
    await expect(ended).rejects.toThrow(/violates foreign key/);
  });
});

test('eight simultaneous issues issue once, and money is spent once', async () => {
  const invoice = makeInvoice();
  const posted = await Promise.all(Array.from({ length: 8 }, () => world.post(invoiceIssued(invoice))));
  expect(posted.flat().filter(({ isNew }) => isNew)).toHaveLength(1);
  await world.post(depositReceived(invoice.traderId, 100n, source('deposit')));
  const spend = () =>
    world.post(consolidated(randomUUID(), [{ traderId: invoice.traderId, units: 60n }], source()));
  const outcomes = await Promise.allSettled([spend(), spend(), spend()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
