import { describe, expect, test } from 'vitest';
import { applyJournal, buildJournal, checkJournal, type JournalDraft, reverseJournal } from './ledger.ts';
import { accountKey, type LedgerAccount, ledgerAccount } from './ledger-accounts.ts';
import { depositReceived } from './ledger-chain.ts';
import { LedgerError } from './ledger-error.ts';
import {
  invoiceCancelled,
  invoiceDiscounted,
  invoiceIssued,
  invoicePaid,
  invoiceSettledByHand,
  type LedgerInvoice,
} from './ledger-invoice.ts';

const invoice: LedgerInvoice = {
  invoiceId: 'inv-1',
  traderId: 'ann',
  providerId: 'aurora',
  amountUnits: 100n,
  split: [
    { recipientType: 'mark', amountUnits: 70n },
    { recipientType: 'community', amountUnits: 20n },
    { recipientType: 'hexmount', amountUnits: 10n },
  ],
  offPlatformUnits: 0n,
};
const deposit = (units: bigint) => depositReceived('ann', units, { type: 'deposit', id: `d${units}` });
const payment = (paidUnits: bigint, units: bigint) =>
  invoicePaid(invoice, { paidUnits, units, source: { type: 'deposit', id: `${paidUnits}-${units}` } });
const byHand = { type: 'settlement', id: 's1' };

/** Balances that are not zero, by kind. */
function after(...journals: JournalDraft[]): Record<string, bigint> {
  const balances = journals.reduce(applyJournal, new Map<string, bigint>());
  return Object.fromEntries(
    [...balances].filter(([, units]) => units !== 0n).map(([key, units]) => [key.split(' ')[0], units]),
  );
}
const codeOf = (work: () => unknown) => {
  try {
    work();
    return 'nothing thrown';
  } catch (error) {
    return error instanceof LedgerError ? error.code : error;
  }
};

describe('the life of an invoice', () => {
  test('issued, it is receivable and billed', () => {
    expect(after(invoiceIssued(invoice))).toEqual({ receivable: 100n, billed: 100n });
  });

  test('a partial payment creates no payables yet', () => {
    expect(after(deposit(40n), invoiceIssued(invoice), payment(0n, 40n))).toEqual({
      deposit_wallet: 40n,
      receivable: 60n,
      billed: 100n,
    });
  });

  test('the payment that completes it turns all of it into payables by the frozen split', () => {
    const journals = [deposit(100n), invoiceIssued(invoice), payment(0n, 40n), payment(40n, 60n)];
    expect(after(...journals)).toEqual({
      deposit_wallet: 100n,
      payable_mark: 70n,
      payable_community: 20n,
      payable_hexmount: 10n,
    });
  });

  test('any surplus is the tip, then and later', () => {
    const journals = [deposit(115n), invoiceIssued(invoice), payment(0n, 110n), payment(100n, 5n)];
    expect(after(...journals)).toMatchObject({ payable_tip: 15n, payable_mark: 70n });
  });

  test('settled by hand, it creates no payables and earlier payments are held', () => {
    const settled = invoiceSettledByHand(invoice, { paidUnits: 40n, source: byHand });
    expect(after(deposit(40n), invoiceIssued(invoice), payment(0n, 40n), settled)).toEqual({
      deposit_wallet: 40n,
      held: 40n,
    });
  });

  test('cancelled, earlier payments return to the trader', () => {
    const cancelled = invoiceCancelled(invoice, { paidUnits: 40n });
    expect(after(deposit(40n), invoiceIssued(invoice), payment(0n, 40n), cancelled)).toEqual({
      deposit_wallet: 40n,
      trader_deposit: 40n,
    });
  });

  test('a coupon lowers what is owed and billed', () => {
    expect(after(invoiceIssued(invoice), invoiceDiscounted(invoice, { units: 30n }))).toEqual({
      receivable: 70n,
      billed: 70n,
    });
    for (const units of [0n, 100n])
      expect(codeOf(() => invoiceDiscounted(invoice, { units }))).toBe('amount_out_of_range');
  });

  test('a reversal restores everything, and names the reversed journal', () => {
    const settled = invoiceSettledByHand(invoice, { paidUnits: 0n, source: byHand });
    const back = reverseJournal('j1', settled);
    expect(back).toMatchObject({
      kind: 'reversal',
      reverses: 'j1',
      source: { type: 'journal', id: 'j1' },
      providerId: 'aurora',
    });
    expect(after(invoiceIssued(invoice), settled, back)).toEqual({ receivable: 100n, billed: 100n });
  });

  test.each([
    [
      'a split that does not sum to the amount',
      'split_differs',
      () => invoiceIssued({ ...invoice, split: [] }),
    ],
    ['a payment of nothing', 'amount_out_of_range', () => payment(0n, 0n)],
    ['more paid before than it was', 'amount_out_of_range', () => payment(101n, 1n)],
    ['cancelling a paid invoice', 'invoice_settled', () => invoiceCancelled(invoice, { paidUnits: 100n })],
    [
      'settling a paid invoice by hand',
      'invoice_settled',
      () => invoiceSettledByHand(invoice, { paidUnits: 100n, source: byHand }),
    ],
    ['paying without a deposit', 'overdrawn', () => after(invoiceIssued(invoice), payment(0n, 1n))],
  ])('refuses %s', (_what, code, work) => {
    expect(codeOf(work)).toBe(code);
  });
});

describe('a journal', () => {
  const head = { kind: 'gas_funded', source: { type: 'test', id: '1' }, providerId: null } as const;
  const [a, b] = [ledgerAccount.communityWallet('c'), ledgerAccount.depositWallet('t')];
  const posting = (account: LedgerAccount, amountUnits: bigint) => ({ account, amountUnits });

  test('has one posting per account, and none of zero', () => {
    const { postings } = buildJournal(head, [
      { debit: a, credit: b, units: 5n },
      { debit: a, credit: b, units: 2n },
      { debit: ledgerAccount.platform('USDT'), credit: b, units: 0n },
    ]);
    expect(postings).toEqual([posting(a, 7n), posting(b, -7n)]);
  });

  test.each([
    ['unbalanced', [posting(a, 5n), posting(b, -4n)]],
    ['zero_posting', [posting(a, 0n), posting(b, 0n)]],
    ['too_few_postings', []],
    ['account_twice', [posting(a, 5n), posting(a, -5n)]],
    ['amount_out_of_range', [posting(a, 10n ** 38n), posting(b, 1n - 10n ** 38n)]],
    ['amount_out_of_range', [posting(a, -(10n ** 38n)), posting(b, 10n ** 38n - 1n)]],
    [
      'unbalanced',
      [posting(ledgerAccount.platform('USDT'), 5n), posting(ledgerAccount.platform('BNB'), -5n)],
    ],
  ])('is refused: %s', (code, postings) => {
    expect(codeOf(() => checkJournal({ kind: 'gas_funded', postings }))).toBe(code);
  });

  test.each([
    ['amount_out_of_range', { debit: a, credit: b, units: -1n }],
    ['mixed_assets', { debit: a, credit: ledgerAccount.platform('BNB'), units: 1n }],
    ['too_few_postings', { debit: a, credit: a, units: 1n }],
  ])('is not built: %s', (code, movement) => {
    expect(codeOf(() => buildJournal(head, [movement]))).toBe(code);
  });

  test('only the platform’s own account may go below zero', () => {
    const spend = (from: LedgerAccount) => () =>
      applyJournal(new Map(), { kind: 'gas_funded', postings: [posting(from, 1n)] });
    expect(codeOf(spend(ledgerAccount.platform('USDT')))).toBe('nothing thrown');
    expect(codeOf(spend(ledgerAccount.traderDeposit('ann')))).toBe('overdrawn');
  });

  test('accounts are distinguished by kind, owner and asset', () => {
    const accounts = [a, b, ledgerAccount.platform('USDT'), ledgerAccount.platform('BNB')];
    expect(new Set(accounts.map(accountKey)).size).toBe(accounts.length);
  });
});
