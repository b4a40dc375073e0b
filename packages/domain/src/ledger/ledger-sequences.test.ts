import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printedSeed } from '../../../../tests/support/printed-seed.ts';
import { RECIPIENT_TYPES, type RecipientType } from '../catalogue.ts';
import { splitInvoice } from '../invoices/split.ts';
import { applyJournal, balanceChange, checkJournal, type JournalDraft, reverseJournal } from './ledger.ts';
import { ACCOUNT_KINDS, type AccountKind, accountKey, ledgerAccount } from './ledger-accounts.ts';
import { consolidated, depositReceived, distributed, gasFunded, gasSpent } from './ledger-chain.ts';
import { LedgerError } from './ledger-error.ts';
import {
  invoiceCancelled,
  invoiceIssued,
  invoicePaid,
  invoiceSettledByHand,
  type LedgerInvoice,
} from './ledger-invoice.ts';

// Random histories of a few invoices, with any action at any time. A refused action changes nothing; an accepted one
// keeps every rule of the ledger.

const STEPS =
  'deposit deposit issue pay pay pay settle cancel reverse consolidate distribute distribute gas'.split(
    ' ',
  ) as (
    | 'deposit'
    | 'issue'
    | 'pay'
    | 'settle'
    | 'cancel'
    | 'reverse'
    | 'consolidate'
    | 'distribute'
    | 'gas'
  )[];
const step = fc.record({
  act: fc.constantFrom(...STEPS),
  who: fc.nat(3),
  units: fc.oneof(
    { weight: 9, arbitrary: fc.bigInt({ min: 1n, max: 300n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 10n ** 21n }) },
  ),
  /** Uses the full amount instead of `units`. */
  isAll: fc.boolean(),
  pick: fc.nat(50),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Life extends LedgerInvoice {
  paidUnits: bigint;
  state: 'open' | 'paid' | 'by_hand' | 'cancelled';
  distributed: Map<RecipientType, bigint>;
  /** Indexes of its unreversed journals, oldest first, without those about a tip alone. */
  standing: number[];
}

const nothing = () => {};
const least = (a: bigint, b: bigint) => (a < b ? a : b);

function runSteps(steps: readonly Step[]) {
  let balances = new Map<string, bigint>();
  const journals: JournalDraft[] = [];
  const undo: ((() => void) | null)[] = [];
  const invoices: Life[] = [];
  const balanceOf = (account: Parameters<typeof accountKey>[0]) => balances.get(accountKey(account)) ?? 0n;
  const post = (journal: JournalDraft, then: () => void, back: (() => void) | null) => {
    balances = applyJournal(balances, journal);
    journals.push(journal);
    undo.push(back);
    then();
  };
  const reopen = (invoice: Life) => () => {
    invoice.state = 'open';
    invoice.standing.pop();
  };
  const acts: Record<Step['act'], (s: Step, source: { type: string; id: string }) => void> = {
    deposit: ({ who, units }, source) =>
      post(depositReceived(`t${who % 2}`, units, source), nothing, nothing),
    issue: ({ who, units, pick }) => {
      const terms = {
        providerShare: '0.35',
        communityPercentage: String(pick),
        hasCommunityReferrer: pick % 2 === 0,
        traderReferralPercentage: pick % 3 === 0 ? '12.5' : null,
      };
      const split = splitInvoice(units, terms);
      if (!split) return;
      const invoiceId = `i${invoices.length}`;
      const invoice: LedgerInvoice = {
        invoiceId,
        traderId: `t${who % 2}`,
        providerId: null,
        amountUnits: units,
        split,
        offPlatformUnits: 0n,
      };
      const life: Life = { ...invoice, paidUnits: 0n, state: 'open', distributed: new Map(), standing: [] };
      post(invoiceIssued(invoice), () => invoices.push(life), null);
    },
    pay: ({ pick, isAll, ...s }, source) => {
      const invoice = invoices[pick % (invoices.length || 1)];
      if (!invoice || (invoice.state !== 'open' && invoice.state !== 'paid')) return;
      const { paidUnits } = invoice;
      const left = invoice.amountUnits - paidUnits;
      const units = isAll && left > 0n ? left : s.units;
      const to = least(units, left);
      const paid = () => {
        invoice.paidUnits += to;
        invoice.state = invoice.paidUnits === invoice.amountUnits ? 'paid' : 'open';
        if (to > 0n) invoice.standing.push(journals.length - 1);
      };
      const back = () => {
        invoice.paidUnits -= to;
        if (to > 0n) invoice.state = 'open';
        if (to > 0n) invoice.standing.pop();
      };
      post(invoicePaid(invoice, { paidUnits, units, source }), paid, back);
    },
    settle: ({ pick }, source) => {
      const invoice = invoices[pick % (invoices.length || 1)];
      if (invoice?.state !== 'open') return;
      const end = () => {
        invoice.state = 'by_hand';
        invoice.standing.push(journals.length - 1);
      };
      post(invoiceSettledByHand(invoice, { paidUnits: invoice.paidUnits, source }), end, reopen(invoice));
    },
    cancel: ({ pick }) => {
      const invoice = invoices[pick % (invoices.length || 1)];
      if (invoice?.state !== 'open') return;
      const end = () => {
        invoice.state = 'cancelled';
        invoice.standing.push(journals.length - 1);
      };
      post(invoiceCancelled(invoice, invoice), end, reopen(invoice));
    },
    reverse: ({ pick }) => {
      const index = pick % (journals.length || 1);
      const [journal, back] = [journals[index], undo[index]];
      const isUnder = ({ standing }: Life) => standing.includes(index) && standing.at(-1) !== index;
      if (!journal || !back || invoices.some(isUnder)) return;
      post(reverseJournal(`j${index}`, journal), back, null);
      undo[index] = null;
    },
    consolidate: ({ who, isAll, ...s }, source) => {
      const there = balanceOf(ledgerAccount.depositWallet(`t${who % 2}`));
      const units = isAll && there > 0n ? there : s.units;
      post(consolidated('c', [{ traderId: `t${who % 2}`, units }], source), nothing, nothing);
    },
    distribute: ({ pick, who, isAll, ...s }, source) => {
      const invoice = invoices[pick % (invoices.length || 1)];
      const recipientType = invoice?.split[who % invoice.split.length]?.recipientType;
      if (!invoice || !recipientType) return;
      const owed = balanceOf(ledgerAccount.payable(invoice, recipientType));
      const units = isAll && owed > 0n ? owed : s.units;
      const note = (sign: bigint) => () =>
        invoice.distributed.set(recipientType, (invoice.distributed.get(recipientType) ?? 0n) + sign * units);
      const { invoiceId, providerId } = invoice;
      post(distributed('c', [{ invoiceId, providerId, recipientType, units }], source), note(1n), note(-1n));
    },
    gas: ({ units, who }, source) =>
      post(who === 0 ? gasFunded(units, source) : gasSpent(units, source), nothing, nothing),
  };

  let refused = 0;
  for (const [index, one] of steps.entries()) {
    try {
      acts[one.act](one, { type: 'step', id: String(index) });
    } catch (error) {
      if (!(error instanceof LedgerError && error.code === 'overdrawn')) throw error;
      refused += 1;
    }
  }
  return { balances, journals, invoices, balanceOf, refused };
}

/** Adds up postings independently of the rules under test. */
function replay(journals: readonly JournalDraft[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const posting of journals.flatMap(({ postings }) => [...postings]))
    sums.set(
      accountKey(posting.account),
      (sums.get(accountKey(posting.account)) ?? 0n) + balanceChange(posting),
    );
  return sums;
}

test('10,000 random histories: sums are zero, nothing is overdrawn, splits are exact, a replay gives the balances', () => {
  const seen = { posted: 0, refused: 0, paid: 0, distributed: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), (steps) => {
      const { balances, journals, invoices, balanceOf, refused } = runSteps(steps);
      for (const journal of journals) checkJournal(journal);
      expect(replay(journals)).toEqual(balances);
      for (const [key, units] of balances)
        if (units < 0n) expect(ACCOUNT_KINDS[key.split(' ')[0] as AccountKind].mayBeNegative, key).toBe(true);

      let inAll = 0n;
      for (const posting of journals.flatMap(({ postings }) => [...postings])) inAll += posting.amountUnits;
      expect(inAll).toBe(0n);

      for (const invoice of invoices) {
        const { state, amountUnits, paidUnits, split } = invoice;
        const isOpen = state === 'open';
        expect(balanceOf(ledgerAccount.receivable(invoice))).toBe(isOpen ? amountUnits - paidUnits : 0n);
        expect(balanceOf(ledgerAccount.billed(invoice))).toBe(isOpen ? amountUnits : 0n);
        expect(balanceOf(ledgerAccount.held(invoice))).toBe(state === 'by_hand' ? paidUnits : 0n);
        for (const recipient of RECIPIENT_TYPES.filter((type) => type !== 'tip')) {
          const part = split.find(({ recipientType }) => recipientType === recipient)?.amountUnits ?? 0n;
          const given = invoice.distributed.get(recipient) ?? 0n;
          const owed = balanceOf(ledgerAccount.payable(invoice, recipient));
          expect(owed + given).toBe(state === 'paid' ? part : 0n);
        }
        if (state === 'paid') seen.paid += 1;
        seen.distributed += invoice.distributed.size;
      }
      seen.posted += journals.length;
      seen.refused += refused;
    }),
    { numRuns: 10_000, seed: printedSeed('PROPERTY_SEED') },
  );
  // The histories had effect: every branch ran often.
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(1000);
}, 120_000);
