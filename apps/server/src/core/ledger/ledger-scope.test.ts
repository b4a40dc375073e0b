import { randomUUID } from 'node:crypto';
import type { Scope } from '@copydesk/domain/access';
import {
  consolidated,
  depositReceived,
  distributed,
  gasFunded,
  invoiceIssued,
  invoicePaid,
  type LedgerAccount,
  ledgerAccount,
} from '@copydesk/domain/ledger';
import { unitsToDecimal } from '@copydesk/domain/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACTOR,
  ALL,
  createLedgerWorld,
  type LedgerWorld,
  makeInvoice,
  PROVIDERS,
  source,
} from '../../../../../tests/support/world/ledger-world.ts';
import { readStatement } from '../../features/statements/statements.views.ts';
import { beginTransaction } from '../../platform/db/begin.ts';
import { createDatabase } from '../../platform/db/database.ts';
import { postJournal } from './ledger.service.ts';
import { findBalance, listJournals } from './ledger.views.ts';
import { reserve } from './reservations.service.ts';

const staffOf = (providerId: string): Scope => ({ kind: 'providers', providerIds: [providerId] });
const [OWN, OTHER] = [staffOf(PROVIDERS[0]), staffOf(PROVIDERS[1])];

let world: LedgerWorld;
const invoice = makeInvoice();
const foreign = makeInvoice({ providerId: PROVIDERS[1] });
const communityId = randomUUID();
const payout = source('payout');

beforeAll(async () => {
  world = await createLedgerWorld();
  // A trader that staff see, so that the names of its accounts are seen with it; the figures are not.
  await world.write(async (tx) => {
    await tx.sql.insertInto('community').values({ id: communityId, name: communityId }).execute();
    await tx.sql
      .insertInto('trader')
      .values({
        id: invoice.traderId,
        community_id: communityId,
        selected_provider_id: PROVIDERS[0],
        referral_code: invoice.traderId,
      })
      .execute();
  });
  await world.post(depositReceived(invoice.traderId, 100n, source('deposit')));
  await world.post(invoiceIssued(invoice), invoiceIssued(foreign));
  await world.post(invoicePaid(invoice, { paidUnits: 0n, units: 100n, source: source('deposit') }));
  await world.post(
    consolidated(communityId, [{ traderId: invoice.traderId, units: 100n }], source('payout')),
  );
  await world.post(distributed(communityId, [{ ...invoice, recipientType: 'mark', units: 70n }], payout));
  await world.write((tx) =>
    reserve(tx, source(), [
      { account: ledgerAccount.payable(invoice, 'community'), units: 10n },
      { account: ledgerAccount.communityWallet(communityId), units: 10n },
    ]),
  );
});
afterAll(() => world.close());

// The second round switches the views' own filter off: what still keeps rows apart is PostgreSQL.
describe.each([
  { name: 'with both walls', filtersScope: true },
  { name: 'with row-level security alone', filtersScope: false },
])('staff, $name', ({ filtersScope }) => {
  const read: LedgerWorld['db']['read'] = (scope, work) =>
    createDatabase({
      pool: world.pool,
      auditKey: Buffer.alloc(32),
      now: () => new Date(),
      filtersScope,
    }).read(scope, work);
  const posted = async (account: LedgerAccount, scope: Scope) =>
    (await read(scope, (tx) => findBalance(tx, account)))?.posted ?? null;

  test('see the accounts of the invoices of their providers', async () => {
    expect(await posted(ledgerAccount.payable(invoice, 'community'), OWN)).toBe('30');
    expect(await posted(ledgerAccount.payable(invoice, 'community'), OTHER)).toBeNull();
    expect(await posted(ledgerAccount.receivable(foreign), OWN)).toBeNull();
    expect(await posted(ledgerAccount.receivable(foreign), OTHER)).toBe('100');
  });

  test('see no sum over others', async () => {
    const sums = [
      ledgerAccount.communityWallet(communityId),
      ledgerAccount.depositWallet(invoice.traderId),
      ledgerAccount.traderDeposit(invoice.traderId),
    ];
    for (const account of sums) {
      expect(await posted(account, ALL), account.kind).not.toBeNull();
      expect(await posted(account, OWN), account.kind).toBeNull();
    }
  });

  test('see their own part of a payout only', async () => {
    const seen = await read(OWN, (tx) => listJournals(tx, payout));
    expect(seen.map(({ postings }) => postings)).toEqual([
      [{ account: 'payable_mark', owner_id: invoice.invoiceId, asset: 'USDT', amount: '70' }],
    ]);
    expect(await read(OTHER, (tx) => listJournals(tx, payout))).toEqual([]);
    expect(await read(ALL, (tx) => listJournals(tx, payout))).toMatchObject([{ postings: [{}, {}] }]);
  });

  test('get a statement of their scope only', async () => {
    const { invoiceId: owner_id } = invoice;
    const asked = { owner_kind: 'invoice', owner_id, account: 'payable_mark', asset: 'USDT' } as const;
    const lines = async (scope: Scope) =>
      (await read(scope, (tx) => readStatement(tx, asked, { limit: 10, offset: 0 }))).data;
    const inTokens = (units: bigint) => unitsToDecimal(units);
    expect((await lines(OWN)).map(({ change, balance }) => [change, balance])).toEqual([
      [inTokens(-70n), '0'],
      [inTokens(70n), inTokens(70n)],
    ]);
    expect(await lines(OTHER)).toEqual([]);
  });
});

test.each([
  ['posting', 'provider_id = $1'],
  ['ledger_balance', 'account_id IN (SELECT id FROM ledger_account WHERE provider_id = $1)'],
  ['ledger_reservation', 'account_id IN (SELECT id FROM ledger_account WHERE provider_id = $1)'],
  ['ledger_account', `provider_id = $1 OR owner_id = '${invoice.traderId}'`],
  ['journal', 'id IN (SELECT journal_id FROM posting WHERE provider_id = $1)'],
])('PostgreSQL shows staff no other row of %s', async (table, condition) => {
  const client = await world.pool.connect();
  await beginTransaction(client, 'BEGIN', { scope: { kind: 'providers', providerIds: [PROVIDERS[0]] } });
  const { rows: seen } = await client.query(`SELECT to_jsonb(t)::text AS row FROM ${table} t ORDER BY 1`);
  await client.query('ROLLBACK');
  client.release();
  const own = await world.asOwner(
    `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE ${condition} ORDER BY 1`,
    [PROVIDERS[0]],
  );
  expect(own.length).toBeGreaterThan(0);
  expect(seen).toEqual(own);
});

test('only the scope of everything writes the ledger', async () => {
  const draft = gasFunded(1n, source('test'));
  const write = world.db.write(OWN, ACTOR, (tx) => postJournal(tx, draft));
  await expect(write).rejects.toThrow(/scope of everything/);
});
