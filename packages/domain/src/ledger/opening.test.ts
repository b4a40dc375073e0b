import { describe, expect, test } from 'vitest';
import { applyJournal } from './ledger.ts';
import { type ImportedInvoice, openingJournals, planOpening } from './opening.ts';

/** Pays 100 in, and 70 of it out, before the import; 30 are still owed. */
const PAID: ImportedInvoice = {
  invoiceId: 'paid',
  traderId: 'ann',
  communityId: 'c',
  providerId: 'aurora',
  amountUnits: 100n,
  split: [
    { recipientType: 'mark', amountUnits: 70n },
    { recipientType: 'community', amountUnits: 20n },
    { recipientType: 'hexmount', amountUnits: 10n },
  ],
  status: 'paid',
  paidUnits: 100n,
  paidOut: [{ recipientType: 'mark', units: 70n }],
  owedUnits: 30n,
};
const PENDING: ImportedInvoice = {
  ...PAID,
  invoiceId: 'pending',
  status: 'pending',
  paidUnits: 30n,
  paidOut: [],
  owedUnits: 0n,
};

describe('the tokens at a deposit address back imported invoices', () => {
  const first = { ...PENDING, invoiceId: 'first' };
  test.each([
    ['all of them', 90n, [30n, 30n, 30n], [0n, 0n, 0n]],
    ['more than they need', 999n, [30n, 30n, 30n], [0n, 0n, 0n]],
    ['the oldest first, and a partial payment in part', 75n, [30n, 30n, 15n], [0n, 0n, 15n]],
    ['to the unit', 60n, [30n, 30n, 0n], [0n, 0n, 30n]],
    ['the shares of a paid invoice together or not at all', 59n, [30n, 0n, 29n], [0n, 100n, 1n]],
    ['none, where no tokens are', 0n, [0n, 0n, 0n], [30n, 100n, 30n]],
    ['none, where fewer tokens are than the books have', -5n, [0n, 0n, 0n], [30n, 100n, 30n]],
  ])('%s', (_what, found, backed, offPlatform) => {
    const openings = planOpening([first, PAID, PENDING], found);
    expect(openings.map(({ invoice }) => invoice.invoiceId)).toEqual(['first', 'paid', 'pending']);
    expect(openings.map(({ backedUnits }) => backedUnits)).toEqual(backed);
    expect(openings.map(({ offPlatformUnits }) => offPlatformUnits)).toEqual(offPlatform);
  });

  test('a paid invoice whose shares all were paid out needs no tokens', () => {
    expect(planOpening([{ ...PAID, owedUnits: 0n }], 0n)).toMatchObject([
      { backedUnits: 0n, offPlatformUnits: 0n },
    ]);
  });
});

describe('the books of an imported invoice open', () => {
  const open = (invoice: ImportedInvoice, foundUnits: bigint) => {
    const journals = planOpening([invoice], foundUnits).flatMap(openingJournals);
    const balances = journals.reduce(applyJournal, new Map<string, bigint>());
    const books = Object.fromEntries(
      [...balances].filter(([, units]) => units !== 0n).map(([key, units]) => [key.split(' ')[0], units]),
    );
    return { books, kinds: journals.map(({ kind }) => kind), sources: journals.map(({ source }) => source) };
  };

  test('as issued, while nothing was paid on it', () => {
    const { books, kinds } = open({ ...PENDING, paidUnits: 0n }, 50n);
    expect(kinds).toEqual(['invoice_issued']);
    expect(books).toEqual({ receivable: 100n, billed: 100n });
  });

  test('with the part of its payment that is on chain; the rest was settled off-platform', () => {
    const { books } = open(PENDING, 20n);
    expect(books).toEqual({ deposit_wallet: 20n, receivable: 70n, billed: 90n });
  });

  test('as settled off-platform, where none of its payment is on chain', () => {
    expect(open(PENDING, 0n).books).toEqual({ receivable: 70n, billed: 70n });
    expect(open(PAID, 29n).books).toEqual({});
  });

  test('as paid in and out: what is still owed is at the deposit address', () => {
    const { books } = open({ ...PAID, paidUnits: 105n, owedUnits: 35n }, 35n);
    expect(books).toEqual({
      deposit_wallet: 35n,
      payable_community: 20n,
      payable_hexmount: 10n,
      payable_tip: 5n,
    });
  });

  test('as paid in alone, while no share was paid out', () => {
    const { books, kinds } = open({ ...PAID, paidOut: [], owedUnits: 100n }, 100n);
    expect(kinds).toEqual(['invoice_issued', 'deposit_received', 'invoice_paid']);
    expect(books).toMatchObject({ deposit_wallet: 100n, payable_mark: 70n });
  });

  test('once: every journal but the issue has the opening as its fact', () => {
    const opening = { type: 'opening', id: 'paid' };
    expect(open(PAID, 30n).sources.slice(1)).toEqual([opening, opening, opening, opening]);
    expect(open(PAID, 0n).sources.slice(1)).toEqual([opening]);
  });
});
