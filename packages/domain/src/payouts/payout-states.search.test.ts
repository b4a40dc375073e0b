import { describe, expect, test } from 'vitest';
import {
  explore,
  nearestBreach,
  nearestDeadEnd,
  type Step,
} from '../../../../tests/support/search/explore.ts';
import type { PayoutStatus } from '../catalogue.ts';
import { belongingTo, goesOnWithout, isFree, PAYOUT_MOVES, type PayoutEvent } from './payout-states.ts';
import { canCancelPayout, canResendPayout, canRetryPayout, type PayoutFacts } from './payouts.ts';
import type { TransferState } from './transfers/transfer-states.ts';

// A community with three shares of one amount: two payouts' shares at one deposit address, and one of the first payout
// at another. Workers and people act in every order in which the rules above let them.

interface Payout {
  status: PayoutStatus;
  transfer: TransferState;
  isCancelAsked: boolean;
}
interface Share {
  deposit: number;
  /** null: pending. */
  payout: number | null;
  consolidation: number | null;
}
interface Book {
  shares: Share[];
  payouts: Payout[];
  /** State and deposit address of each consolidation. */
  consolidations: { state: TransferState; deposit: number }[];
  /** Frozen deposit addresses. */
  frozen: boolean[];
}

const stateOf = (book: Book, { consolidation }: Share): TransferState | null =>
  consolidation === null ? null : (book.consolidations[consolidation]?.state ?? null);
const sharesOf = (book: Book, payout: number) => book.shares.filter((share) => share.payout === payout);
const factsOf = (book: Book, index: number): PayoutFacts => {
  const { status, transfer, isCancelAsked } = book.payouts[index] as Payout;
  const hasItsShares = sharesOf(book, index).length > 0;
  return {
    status,
    transfer,
    isCancelAsked,
    isApproved: true,
    isImported: false,
    hasItsShares,
    hasItsAddress: true,
  };
};
const isMovedNothing = (state: TransferState | null) => state !== null && isFree(state);

function move(payout: Payout, event: PayoutEvent): void {
  if ((PAYOUT_MOVES[event].from as readonly PayoutStatus[]).includes(payout.status))
    payout.status = PAYOUT_MOVES[event].to;
}

/** Orders what is missing for these payouts: consolidations of whole deposit addresses, and payments. */
function plan(book: Book, payouts: readonly number[]): void {
  const deposits = new Set(
    payouts.flatMap((payout) =>
      sharesOf(book, payout).flatMap((share) => (isFree(stateOf(book, share)) ? share.deposit : [])),
    ),
  );
  for (const deposit of deposits) {
    const free = book.shares.filter((share) => share.deposit === deposit && isFree(stateOf(book, share)));
    const consolidation = book.consolidations.push({ state: 'planned', deposit }) - 1;
    for (const share of free) share.consolidation = consolidation;
  }
  for (const index of payouts) {
    const payout = book.payouts[index] as Payout;
    if (isMovedNothing(payout.transfer)) payout.transfer = 'planned';
    move(payout, hasDeposits(book, index) ? 'ordered_with_deposits' : 'ordered');
    if (payout.status === 'failed') throw new Error('a payout is ordered and stays failed');
  }
}
const hasDeposits = (book: Book, payout: number) =>
  sharesOf(book, payout).every((share) => stateOf(book, share) === 'final');

/** What waits for a stuck deposit goes on without it, or fails when that consolidation ended. */
function loseDeposit(book: Book, consolidation: number, hasEnded: boolean): void {
  const isStuck = (share: Share) => {
    const own = stateOf(book, share);
    return isMovedNothing(own) || (own !== 'final' && book.frozen[share.deposit] === true);
  };
  for (const [index, payout] of book.payouts.entries()) {
    const shares = sharesOf(book, index);
    if (!shares.some((share) => share.consolidation === consolidation)) continue;
    if (!(PAYOUT_MOVES.deposits_failed.from as readonly PayoutStatus[]).includes(payout.status)) continue;
    const stuck = shares.filter(isStuck);
    if (goesOnWithout(BigInt(shares.length), BigInt(stuck.length))) {
      for (const share of stuck) share.payout = null;
      if (sharesOf(book, index).length === 0) throw new Error('a payout of nothing goes on');
      move(payout, hasDeposits(book, index) ? 'ordered_with_deposits' : 'ordered');
    } else if (hasEnded) move(payout, 'deposits_failed');
  }
}

/** Everything that workers, the chain and people can do next. */
function stepsOf(book: Book): Step<Book>[] {
  const steps: Step<Book>[] = [];
  const step = (name: string, change: (next: Book) => void) => {
    const next = structuredClone(book);
    change(next);
    steps.push([name, next]);
  };
  for (const [index, { state, deposit }] of book.consolidations.entries()) {
    const end = (next: Book, to: TransferState) => {
      (next.consolidations[index] as { state: TransferState }).state = to;
      if (to === 'final') {
        for (const [payout, each] of next.payouts.entries())
          if (sharesOf(next, payout).length > 0 && hasDeposits(next, payout)) move(each, 'deposits_arrived');
      } else loseDeposit(next, index, true);
    };
    if (state === 'planned' && !book.frozen[deposit])
      step(`sign consolidation`, (next) => {
        (next.consolidations[index] as { state: TransferState }).state = 'sent';
      });
    if (state === 'sent')
      for (const to of ['final', 'reverted'] as const) step(`consolidation ${to}`, (next) => end(next, to));
    if (state === 'sent' && book.frozen[deposit])
      step('unfreeze: it moved nothing', (next) => {
        next.frozen[deposit] = false;
        end(next, 'cancelled');
      });
    if ((state === 'planned' || state === 'sent') && !book.frozen[deposit])
      step('freeze deposit', (next) => {
        next.frozen[deposit] = true;
        loseDeposit(next, index, false);
      });
  }
  for (const [deposit, isFrozen] of book.frozen.entries())
    if (isFrozen)
      step('unfreeze', (next) => {
        next.frozen[deposit] = false;
      });
  for (const [index, payout] of book.payouts.entries()) {
    const facts = factsOf(book, index);
    const change = (name: string, by: (mine: Payout, next: Book) => void) =>
      step(name, (next) => by(next.payouts[index] as Payout, next));
    if (payout.transfer === 'planned' && payout.status !== 'failed' && hasDeposits(book, index))
      change('sign payout', (mine) => {
        mine.transfer = 'sent';
        move(mine, 'signed');
      });
    if (payout.transfer === 'sent') {
      change('payout final', (mine) => {
        mine.transfer = 'final';
        move(mine, 'paid');
      });
      for (const to of payout.isCancelAsked ? (['reverted', 'cancelled'] as const) : (['reverted'] as const))
        change(`payout ${to}`, (mine) => {
          mine.transfer = to;
          mine.isCancelAsked = false;
          move(mine, 'moved_nothing');
        });
    }
    if (canCancelPayout(facts))
      change('cancel', (mine) => {
        if (mine.transfer === 'sent') mine.isCancelAsked = true;
        else {
          mine.transfer = 'void';
          move(mine, 'taken_back');
        }
      });
    if (canRetryPayout(facts)) change('retry', (_, next) => plan(next, [index, ...retriedWith(next, index)]));
    if (canResendPayout(facts))
      change('resend', (mine, next) => {
        move(mine, 'sent_again');
        mine.transfer = 'void';
        const payout =
          next.payouts.push({ status: 'pending', transfer: 'planned', isCancelAsked: false }) - 1;
        for (const share of sharesOf(next, index)) share.payout = payout;
        plan(next, [payout]);
      });
  }
  // Pending shares are ordered together, unless their deposit address is frozen.
  const pending = book.shares.filter(
    (share) => share.payout === null && (!book.frozen[share.deposit] || stateOf(book, share) === 'final'),
  );
  if (pending.length > 0)
    step('distribute', (next) => {
      const payout = next.payouts.push({ status: 'pending', transfer: 'planned', isCancelAsked: false }) - 1;
      for (const [index, share] of book.shares.entries())
        if (pending.includes(share)) (next.shares[index] as Share).payout = payout;
      plan(next, [payout]);
    });
  return steps;
}

function retriedWith(book: Book, index: number): number[] {
  const stranded = book.payouts.flatMap((payout, other) =>
    payout.status === 'failed' && (other === index || payout.transfer === 'planned')
      ? sharesOf(book, other).flatMap((share) =>
          isFree(stateOf(book, share)) ? [{ payoutId: String(other), traderId: String(share.deposit) }] : [],
        )
      : [],
  );
  return [...belongingTo([String(index)], stranded).keys()].map(Number);
}

/** A name that is the same for states that differ in nothing but numbers of rows that no share names any more. */
function nameOf(book: Book): string {
  const consolidations: number[] = [];
  const payouts: number[] = [];
  const place = (list: number[], index: number | null) => {
    if (index === null) return '-';
    if (!list.includes(index)) list.push(index);
    return list.indexOf(index);
  };
  const shares = book.shares.map(
    ({ payout, consolidation }) => `${place(payouts, payout)}${place(consolidations, consolidation)}`,
  );
  return JSON.stringify([
    shares,
    payouts.map((index) => book.payouts[index]),
    consolidations.map((index) => book.consolidations[index]),
    book.frozen,
  ]);
}

/** Leaves out rows that no share names. */
function prune(book: Book): Book {
  const used = (list: (number | null)[]) => [...new Set(list.filter((index) => index !== null))];
  const payouts = used(book.shares.map(({ payout }) => payout));
  const consolidations = used(book.shares.map(({ consolidation }) => consolidation));
  const at = (list: number[], index: number | null) => (index === null ? null : list.indexOf(index));
  return {
    shares: book.shares.map((share) => ({
      ...share,
      payout: at(payouts, share.payout),
      consolidation: at(consolidations, share.consolidation),
    })),
    payouts: payouts.map((index) => book.payouts[index] as Payout),
    consolidations: consolidations.map((index) => book.consolidations[index] as Book['consolidations'][0]),
    frozen: book.frozen,
  };
}

const isPaid = (book: Book) =>
  book.shares.every(({ payout }) => payout !== null && book.payouts[payout]?.status === 'distributed');

function exploreBooks() {
  const first: Book = {
    shares: [
      { deposit: 0, payout: null, consolidation: null },
      { deposit: 1, payout: null, consolidation: null },
      { deposit: 0, payout: null, consolidation: null },
    ],
    payouts: [0, 1].map(() => ({ status: 'pending', transfer: 'planned', isCancelAsked: false })),
    consolidations: [],
    frozen: [false, false],
  };
  for (const [index, payout] of [0, 0, 1].entries()) (first.shares[index] as Share).payout = payout;
  plan(first, [0, 1]);
  return explore({
    first,
    stepsOf: (book) => stepsOf(book).map(([what, after]): Step<Book> => [what, prune(after)]),
    nameOf,
  });
}

describe('payouts in every order of events', () => {
  const all = exploreBooks();

  test('always have a way to be paid, by the acts that the console offers', () => {
    expect(all.isWhole).toBe(true);
    expect(nearestDeadEnd(all, isPaid)).toBeNull();
    expect(all.found.size).toBeGreaterThan(1_000);
  });

  test('pay a share once, and only with its tokens in the wallet', () => {
    const isWrong = (book: Book) =>
      book.payouts.some(({ transfer, status }, index) => {
        const isOut = transfer === 'sent' || transfer === 'final';
        const isConsistent = (status === 'distributed') === (transfer === 'final');
        return (isOut && !hasDeposits(book, index)) || !isConsistent;
      });
    expect(nearestBreach(all, (book) => (isWrong(book) ? 'paid without its tokens' : null))).toBeNull();
  });

  test('fail only in ways that can be repeated', () => {
    const isStuck = (book: Book) =>
      book.payouts.some(({ status }, index) => status === 'failed' && !canRetryPayout(factsOf(book, index)));
    expect(nearestBreach(all, (book) => (isStuck(book) ? 'failed for good' : null))).toBeNull();
  });
});
