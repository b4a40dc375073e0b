import { describe, expect, test } from 'vitest';
import { applyJournal, buildJournal, checkJournal, type JournalDraft, reverseJournal } from './ledger.ts';
import { ACCOUNT_KINDS, accountKey, type LedgerAccount, ledgerAccount } from './ledger-accounts.ts';
import {
  consolidated,
  creditReturned,
  depositReceived,
  distributed,
  gasFunded,
  gasSpent,
} from './ledger-chain.ts';
import { LedgerError } from './ledger-error.ts';
import {
  invoiceCancelled,
  invoiceDiscounted,
  invoiceIssued,
  invoicePaid,
  invoiceSettledByHand,
  invoiceSettledElsewhere,
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
const halved = invoice.split.map(({ recipientType, amountUnits }) => ({
  recipientType,
  amountUnits: amountUnits / 2n,
}));
const deposit = (units: bigint) => depositReceived('ann', units, { type: 'deposit', id: `d${units}` });
const payment = (paidUnits: bigint, units: bigint) =>
  invoicePaid(invoice, { paidUnits, units, source: { type: 'deposit', id: `${paidUnits}-${units}` } });
const byHand = { type: 'settlement', id: 's1' };
const imported = { type: 'opening', id: 'inv-1' };

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

  test('an amount settled off-platform never becomes payable, is never held and never returned', () => {
    const partly = { ...invoice, offPlatformUnits: 10n };
    const opened = [
      deposit(90n),
      invoiceIssued(partly),
      invoiceSettledElsewhere(partly, { units: 10n, source: imported }),
      invoicePaid(partly, { paidUnits: 10n, units: 30n, source: { type: 'deposit', id: 'd1' } }),
    ];
    expect(after(...opened)).toEqual({
      deposit_wallet: 90n,
      trader_deposit: 60n,
      receivable: 60n,
      billed: 90n,
    });
    const rest = invoicePaid(partly, { paidUnits: 40n, units: 60n, source: { type: 'deposit', id: 'd2' } });
    expect(after(...opened, rest)).toEqual({
      deposit_wallet: 90n,
      payable_mark: 63n,
      payable_community: 18n,
      payable_hexmount: 9n,
    });
    const end = { paidUnits: 40n, source: byHand };
    expect(after(...opened, invoiceSettledByHand(partly, end))).toMatchObject({ held: 30n });
    expect(after(...opened, invoiceCancelled(partly, end))).toEqual({
      deposit_wallet: 90n,
      trader_deposit: 90n,
    });
  });

  test('all of an invoice may be settled off-platform, and no more', () => {
    const settled = (units: bigint) => invoiceSettledElsewhere(invoice, { units, source: imported });
    expect(after(invoiceIssued(invoice), settled(100n))).toEqual({});
    for (const units of [-1n, 0n, 101n]) expect(codeOf(() => settled(units))).toBe('amount_out_of_range');
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
    [
      'a split with a part of nothing',
      'split_differs',
      () =>
        invoiceIssued({ ...invoice, split: [...invoice.split, { recipientType: 'sixk', amountUnits: 0n }] }),
    ],
    [
      'a payment by a split that does not sum to the amount',
      'split_differs',
      () => invoicePaid({ ...invoice, split: [] }, { paidUnits: 0n, units: 1n, source: byHand }),
    ],
    ['a payment of nothing', 'amount_out_of_range', () => payment(0n, 0n)],
    ['less than nothing paid before', 'amount_out_of_range', () => payment(-1n, 1n)],
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

describe('money on chain', () => {
  const wallets = ['ann', 'bob'].map((traderId) => depositReceived(traderId, 50n, byHand));
  const collected = consolidated(
    'c',
    [
      { traderId: 'ann', units: 50n },
      { traderId: 'bob', units: 30n },
    ],
    byHand,
  );

  test('goes back to its trader, as far as it is credit', () => {
    expect(after(deposit(50n), creditReturned('ann', 20n, byHand))).toEqual({
      deposit_wallet: 30n,
      trader_deposit: 30n,
    });
  });

  test('is collected from several deposit addresses at once, and each keeps the rest', () => {
    expect(after(...wallets, collected)).toMatchObject({ deposit_wallet: 20n, community_wallet: 80n });
  });

  test('pays the recipients of an invoice out of the community’s wallet', () => {
    const { invoiceId, providerId } = invoice;
    const paid = distributed(
      'c',
      [
        { invoiceId, providerId, recipientType: 'mark', units: 35n },
        { invoiceId, providerId, recipientType: 'community', units: 10n },
      ],
      byHand,
    );
    const half = { ...invoice, amountUnits: 50n, split: halved };
    const journals = [
      ...wallets,
      collected,
      invoiceIssued(half),
      invoicePaid(half, { paidUnits: 0n, units: 50n, source: byHand }),
    ];
    expect(after(...journals, paid)).toMatchObject({ community_wallet: 35n, payable_hexmount: 5n });
    expect(after(...journals, paid)).not.toHaveProperty('payable_mark');
  });

  test('for fees is a coin of the community or of the platform, each with its own account', () => {
    expect(after(gasFunded(9n, byHand, 'c'), gasSpent(4n, byHand, 'c'))).toEqual({
      gas_wallet: 5n,
      gas_spent: 4n,
      platform: 9n,
    });
    expect(codeOf(() => after(gasFunded(9n, byHand, 'c'), gasSpent(4n, byHand)))).toBe('overdrawn');
    expect(codeOf(() => after(gasFunded(9n, byHand), gasSpent(4n, byHand, 'c')))).toBe('overdrawn');
    const [wallet] = gasFunded(9n, byHand).postings;
    // The owner of an account is a UUID, that of the platform's as well.
    expect(wallet?.account).toMatchObject({
      asset: 'BNB',
      ownerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });
});

test.each([
  ['deposit_received', deposit(1n), { type: 'deposit', id: 'd1' }],
  ['credit_returned', creditReturned('ann', 1n, byHand), byHand],
  ['consolidated', consolidated('c', [{ traderId: 'ann', units: 1n }], byHand), byHand],
  ['distributed', distributed('c', [{ ...invoice, recipientType: 'mark', units: 1n }], byHand), byHand],
  ['gas_funded', gasFunded(1n, byHand), byHand],
  ['gas_spent', gasSpent(1n, byHand), byHand],
  ['invoice_issued', invoiceIssued(invoice), { type: 'invoice', id: 'inv-1' }],
  ['invoice_paid', payment(0n, 1n), { type: 'deposit', id: '0-1' }],
  ['invoice_settled_by_hand', invoiceSettledByHand(invoice, { paidUnits: 0n, source: byHand }), byHand],
  ['invoice_settled_elsewhere', invoiceSettledElsewhere(invoice, { units: 1n, source: imported }), imported],
  ['invoice_cancelled', invoiceCancelled(invoice, { paidUnits: 0n }), { type: 'invoice', id: 'inv-1' }],
  ['invoice_discounted', invoiceDiscounted(invoice, { units: 1n }), { type: 'invoice', id: 'inv-1' }],
])('a fact makes one journal of a kind: %s is unique by its kind and its fact', (kind, journal, source) => {
  const providerId = kind.startsWith('invoice_') ? 'aurora' : null;
  expect(journal).toMatchObject({ kind, source, providerId, reverses: null });
});

test('a refusal is a LedgerError with a code, and says which amounts and accounts it is about', () => {
  const [a, b] = [ledgerAccount.communityWallet('c'), ledgerAccount.depositWallet('t')];
  const posted = (...units: bigint[]) =>
    checkJournal({
      kind: 'consolidated',
      postings: units.map((amountUnits, index) => ({ account: index === 0 ? a : b, amountUnits })),
    });
  const head = { kind: 'consolidated', source: byHand, providerId: null } as const;
  const moved = (debit: LedgerAccount, units: bigint) => buildJournal(head, [{ debit, credit: b, units }]);
  const refusals: [() => unknown, RegExp][] = [
    [() => posted(0n), /zero_posting.*consolidated.*community_wallet c USDT/],
    [() => posted(10n ** 38n), /amount_out_of_range.*community_wallet c USDT: 10{38}$/],
    [() => posted(5n, -3n), /unbalanced.*consolidated: 2 USDT/],
    [() => moved(a, -7n), /amount_out_of_range.*-7/],
    [() => moved(ledgerAccount.gasWallet('c'), 7n), /mixed_assets.*USDT.*BNB/],
    [() => after(moved(a, 7n)), /overdrawn.*consolidated.*deposit_wallet t USDT: -7/],
    [() => payment(0n, 0n), /amount_out_of_range.*payment of 0/],
    [() => payment(101n, 1n), /amount_out_of_range.*101 paid of 100 of inv-1/],
    [() => invoiceIssued({ ...invoice, amountUnits: 99n }), /split_differs.*100 of 99 of inv-1/],
    [() => invoiceSettledElsewhere(invoice, { units: 101n, source: byHand }), /101 of 100/],
    [() => invoiceDiscounted(invoice, { units: 100n }), /100 off 100/],
  ];
  for (const [refused, sentence] of refusals)
    expect(refused).toThrow(
      expect.objectContaining({ name: 'LedgerError', message: expect.stringMatching(sentence) }),
    );
});

test('every account grows on one of two sides', () => {
  expect(new Set(Object.values(ACCOUNT_KINDS).map(({ side }) => side))).toEqual(new Set(['debit', 'credit']));
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
