import { randomUUID } from 'node:crypto';
import {
  ACCOUNT_KINDS,
  type AccountKind,
  consolidated,
  depositReceived,
  distributed,
  invoiceIssued,
  invoicePaid,
  invoiceSettledByHand,
  type LedgerAccount,
  ledgerAccount,
} from '@copydesk/domain/ledger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ALL,
  createLedgerWorld,
  type LedgerWorld,
  makeInvoice,
  PROVIDERS,
  source,
} from '../../../../../tests/support/world/ledger-world.ts';
import { postJournal } from './ledger.service.ts';
import { findBalance, listJournals } from './ledger.views.ts';
import { reserve, reserveAll, voidReservations } from './reservations.service.ts';
import { takeBack } from './reversals.service.ts';

let world: LedgerWorld;
beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());

const available = async (account: LedgerAccount) =>
  (await world.db.read(ALL, (tx) => findBalance(tx, account)))?.available ?? null;
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.code,
  );

/** An invoice that is paid in full, its tokens in the community's wallet. */
async function payInvoice(units = 100n) {
  const invoice = makeInvoice();
  const communityId = randomUUID();
  await world.post(depositReceived(invoice.traderId, units, source('deposit')));
  await world.post(invoiceIssued(invoice));
  await world.post(invoicePaid(invoice, { paidUnits: 0n, units, source: source('deposit') }));
  await world.post(consolidated(communityId, [{ traderId: invoice.traderId, units }], source('payout')));
  return { invoice, communityId };
}

test('balances follow postings', async () => {
  const { invoice, communityId } = await payInvoice(105n);
  expect(await available(ledgerAccount.receivable(invoice))).toBe('0');
  expect(await available(ledgerAccount.billed(invoice))).toBe('0');
  expect(await available(ledgerAccount.payable(invoice, 'mark'))).toBe('70');
  expect(await available(ledgerAccount.payable(invoice, 'community'))).toBe('30');
  expect(await available(ledgerAccount.payable(invoice, 'tip'))).toBe('5');
  expect(await available(ledgerAccount.communityWallet(communityId))).toBe('105');
  expect(await available(ledgerAccount.depositWallet(invoice.traderId))).toBe('0');
});

test('the database knows the same kinds of accounts as the rules', async () => {
  await world.write(async (tx) => {
    const accounts = Object.entries(ACCOUNT_KINDS).map(([kind, { owner }]) => ({
      kind,
      owner_id: owner === 'payer' ? ledgerAccount.gasWallet(null).ownerId : randomUUID(),
      asset: 'USDT',
    }));
    await tx.sql.insertInto('ledger_account').values(accounts).execute();
  });
  const rows = await world.asOwner<{ kind: AccountKind; side: number; allow_negative: boolean }>(
    'SELECT DISTINCT kind, side, allow_negative FROM ledger_account',
  );
  expect(rows.length).toBe(Object.keys(ACCOUNT_KINDS).length);
  for (const { kind, side, allow_negative } of rows) {
    expect(ACCOUNT_KINDS[kind].side, kind).toBe(side === 1 ? 'debit' : 'credit');
    expect(ACCOUNT_KINDS[kind].mayBeNegative, kind).toBe(allow_negative);
  }
});

test('the same journal is posted once, and answers the first', async () => {
  const invoice = makeInvoice();
  const [first] = await world.post(invoiceIssued(invoice));
  const [again] = await world.post(invoiceIssued(invoice));
  expect(again).toEqual({ id: first?.id, isNew: false });
  expect(await available(ledgerAccount.receivable(invoice))).toBe('100');
});

test('another journal under the same source is refused', async () => {
  const invoice = makeInvoice();
  await world.post(invoiceIssued(invoice));
  const split = [{ recipientType: 'mark', amountUnits: 101n }] as const;
  expect(await refusal(world.post(invoiceIssued({ ...invoice, amountUnits: 101n, split })))).toBe(
    'source_taken',
  );
  const foreign = invoiceIssued({ ...makeInvoice(), invoiceId: invoice.invoiceId, providerId: PROVIDERS[1] });
  await expect(world.post(foreign)).rejects.toThrow(/belongs to another provider/);
});

test('journals that go together are posted together or not at all', async () => {
  const [one, two] = [makeInvoice(), makeInvoice()];
  const tooMuch = invoicePaid(two, { paidUnits: 0n, units: 1n, source: source('deposit') });
  expect(await refusal(world.post(invoiceIssued(one), invoiceIssued(two), tooMuch))).toBe('overdrawn');
  expect(await available(ledgerAccount.receivable(one))).toBeNull();
  const both = await world.post(invoiceIssued(one), invoiceIssued(two));
  expect(both.map(({ isNew }) => isNew)).toEqual([true, true]);
  const journals = await world.db.read(ALL, (tx) => listJournals(tx, { type: 'invoice', id: one.invoiceId }));
  expect(journals.map(({ id }) => id)).toEqual([both[0]?.id]);
});

test('many sources reserve together: all of it once, or nothing', async () => {
  const [one, other] = [await payInvoice(), await payInvoice()];
  const [first, second] = [source('payout'), source('payout')];
  const mark = ledgerAccount.payable(one.invoice, 'mark');
  const wanted = [
    { source: first, account: mark, units: 20n },
    { source: second, account: mark, units: 50n },
    { source: second, account: ledgerAccount.payable(other.invoice, 'community'), units: 30n },
  ];
  const ids = await world.write((tx) => reserveAll(tx, wanted));
  expect(new Set(ids).size).toBe(3);
  expect(await world.write((tx) => reserveAll(tx, [...wanted].reverse()))).toEqual([...ids].reverse());
  expect(await available(mark)).toBe('0');
  expect(await world.write((tx) => reserveAll(tx, []))).toEqual([]);
  const changed = wanted.map((each) => ({ ...each, units: each.units - 1n }));
  expect(await refusal(world.write((tx) => reserveAll(tx, changed)))).toBe('reservation_taken');
  const account = ledgerAccount.payable(other.invoice, 'mark');
  const beyond = [40n, 31n].map((units) => ({ source: source('payout'), account, units }));
  expect(await refusal(world.write((tx) => reserveAll(tx, beyond)))).toBe('overdrawn');
  expect(await available(account)).toBe('70');
});

test('a reserved amount cannot be reserved or spent again, and is posted once', async () => {
  const { invoice, communityId } = await payInvoice();
  const account = ledgerAccount.payable(invoice, 'mark');
  const payout = source('payout');
  const [id] = await world.write((tx) => reserve(tx, payout, [{ account, units: 70n }]));
  expect(await world.write((tx) => reserve(tx, payout, [{ account, units: 70n }]))).toEqual([id]);
  expect(await refusal(world.write((tx) => reserve(tx, payout, [{ account, units: 60n }])))).toBe(
    'reservation_taken',
  );
  expect(await refusal(world.write((tx) => reserve(tx, source(), [{ account, units: 1n }])))).toBe(
    'overdrawn',
  );
  const balance = await world.db.read(ALL, (tx) => findBalance(tx, account));
  expect(balance).toMatchObject({ posted: '70', pending: '70', available: '0' });

  const pay = (units: bigint) =>
    distributed(communityId, [{ ...invoice, recipientType: 'mark', units }], source('payout'));
  const [draft, other] = [pay(70n), pay(70n)];
  expect(await refusal(world.post(pay(70n)))).toBe('overdrawn');
  await expect(world.write((tx) => postJournal(tx, pay(60n), [id as string]))).rejects.toThrow(
    /does not take what was reserved/,
  );
  await world.write((tx) => postJournal(tx, draft, [id as string]));
  expect(await world.write((tx) => postJournal(tx, draft, [id as string]))).toMatchObject({ isNew: false });
  expect(await refusal(world.write((tx) => postJournal(tx, other, [id as string])))).toBe(
    'reservation_ended',
  );
  expect(await refusal(world.write((tx) => voidReservations(tx, [id as string])))).toBe('reservation_ended');
  expect(await world.db.read(ALL, (tx) => findBalance(tx, account))).toMatchObject({
    posted: '0',
    pending: '0',
  });
});

test('a voided reservation frees its amount, and can no longer be posted', async () => {
  const { invoice, communityId } = await payInvoice();
  const account = ledgerAccount.payable(invoice, 'community');
  const [id] = (await world.write((tx) => reserve(tx, source(), [{ account, units: 20n }]))) as [string];
  await world.write((tx) => voidReservations(tx, [id]));
  await world.write((tx) => voidReservations(tx, [id]));
  expect(await available(account)).toBe('30');
  const draft = distributed(communityId, [{ ...invoice, recipientType: 'community', units: 20n }], source());
  expect(await refusal(world.write((tx) => postJournal(tx, draft, [id])))).toBe('reservation_ended');
});

test('journals of an invoice are taken back newest first, each once', async () => {
  const invoice = makeInvoice();
  const account = ledgerAccount.receivable(invoice);
  await world.post(depositReceived(invoice.traderId, 40n, source('deposit')));
  const [issued] = await world.post(invoiceIssued(invoice));
  const [paid] = await world.post(
    invoicePaid(invoice, { paidUnits: 0n, units: 40n, source: source('deposit') }),
  );
  const [settled] = await world.post(
    invoiceSettledByHand(invoice, { paidUnits: 40n, source: source('settlement') }),
  );
  const back = (id: string | undefined) => world.write((tx) => takeBack(tx, id as string));
  expect(await refusal(back(paid?.id))).toBe('not_newest');
  const first = await back(settled?.id);
  expect(await back(settled?.id)).toEqual({ id: first.id, isNew: false });
  expect(await available(account)).toBe('60');
  await back(paid?.id);
  await back(issued?.id);
  expect(await available(account)).toBe('0');
  expect(await available(ledgerAccount.traderDeposit(invoice.traderId))).toBe('40');
});
