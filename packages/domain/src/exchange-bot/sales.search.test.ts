import { describe, expect, test } from 'vitest';
import {
  explore,
  nearestBreach,
  nearestDeadEnd,
  nearestWrongStep,
  type Step,
} from '../../../../tests/support/search/explore.ts';
import { decideMarking } from '../invoices/invoices.ts';
import { allocatePayments, type PayableInvoice } from '../invoices/payments.ts';
import { refuseCancelling } from './sales.ts';

// A buyer with two plans of one price at one address, its payments, the clock and super admins, in every order. What a
// payment goes to, what can be cancelled and what can be marked is decided by the rules that the server calls; what is
// written here beside them is what its statements do with that decision.

const USDT = 10n ** 18n;
const PRICE = 10;
const TIP = 1;
const SIZES = [4, 6, 10, 11];

interface Order {
  plan: number;
  status: 'pending' | 'paid' | 'cancelled';
  /** Settled by hand, without money on the chain. */
  isMarked: boolean;
  hasPayout: boolean;
  /** It ended within the days in which a payment revives it. */
  isRevivable: boolean;
}
interface Payment {
  size: number;
  /** What went to each order. */
  used: number[];
}
interface Book {
  orders: Order[];
  payments: Payment[];
}
interface World {
  mostOrders: number;
  mostPayments: number;
  /** Whether super admins may make a paid part the buyer's credit. */
  canCredit: boolean;
  /** Whether super admins may mark an order. */
  canMark: boolean;
  /** Whether a payment revives an order also where two that ended have its amount. */
  guesses: boolean;
  /** Whether an order that is paid in the same transaction counts as bought. */
  isOrder: boolean;
}
const WHOLE: World = {
  mostOrders: 2,
  mostPayments: 3,
  canCredit: true,
  canMark: true,
  guesses: false,
  isOrder: true,
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const openOf = ({ size, used }: Payment) => size - sum(used);
const paidOf = ({ payments }: Book, order: number) => sum(payments.map(({ used }) => used[order] ?? 0));
const units = (amount: number) => BigInt(amount) * USDT;

/** Applies what is open of payments, as the worker does in the transaction of an arrival or of the buyer's order. */
function applied(book: Book, { arrived }: { arrived: number | null }, { guesses, isOrder }: World): Book {
  const after = structuredClone(book);
  const invoiceOf = (order: number): PayableInvoice => ({
    invoiceId: String(order),
    traderId: 'buyer',
    providerId: null,
    amountUnits: units(PRICE),
    split: [],
    offPlatformUnits: 0n,
    paidUnits: units(paidOf(book, order)),
    isArchived: false,
  });
  const numbers = [...book.orders.keys()];
  const latestOfPlan = numbers.filter(
    (order) =>
      !numbers.some((later) => later > order && book.orders[later]?.plan === book.orders[order]?.plan),
  );
  const hasBoughtSince = (order: number) =>
    numbers.some((later) => later > order && book.orders[later]?.status === 'paid');
  const ended = latestOfPlan.filter((order) => book.orders[order]?.isRevivable && !hasBoughtSince(order));
  const paid = numbers.filter((order) => book.orders[order]?.status === 'paid' && paidOf(book, order) > 0);
  const lastPaid = paid.at(-1);
  const allocations = allocatePayments(
    [...book.payments.keys()]
      .filter((payment) => openOf(book.payments[payment] as Payment) > 0)
      .map((payment) => ({
        paymentId: String(payment),
        openUnits: units(openOf(book.payments[payment] as Payment)),
      })),
    numbers.filter((order) => book.orders[order]?.status === 'pending').map(invoiceOf),
    lastPaid === undefined ? null : invoiceOf(lastPaid),
    {
      tipUpToUnits: units(TIP),
      ended: arrived === null ? [] : (guesses ? ended.slice(0, 1) : ended).map(invoiceOf),
      mayRevive: ({ paymentId }) => paymentId === String(arrived),
      isOrder: () => isOrder,
    },
  );
  for (const { paymentId, invoice, units: given, completes } of allocations) {
    const order = Number(invoice.invoiceId);
    const { used } = after.payments[Number(paymentId)] as Payment;
    used[order] = (used[order] ?? 0) + Number(given / USDT);
    if (completes) Object.assign(after.orders[order] as Order, { status: 'paid', isRevivable: false });
  }
  return after;
}

function changed(book: Book, order: number, change: Partial<Order>): Book {
  const after = structuredClone(book);
  Object.assign(after.orders[order] as Order, change);
  return after;
}

/** What was paid of it is the buyer's credit again. */
function ended(book: Book, order: number): Book {
  const after = changed(book, order, { status: 'cancelled', isRevivable: true });
  for (const { used } of after.payments) if (used[order] !== undefined) used[order] = 0;
  return after;
}

const stepsOf =
  (world: World) =>
  (book: Book): Step<Book>[] => {
    const steps: Step<Book>[] = [];
    const { orders, payments } = book;
    const facts = (order: number) => ({
      status: (orders[order] as Order).status,
      paidUnits: units(paidOf(book, order)),
    });
    if (orders.length < world.mostOrders)
      for (const plan of [0, 1]) {
        const open = orders.findIndex(({ status }) => status === 'pending');
        if (open >= 0 && refuseCancelling(facts(open)) !== null) continue;
        const after = open >= 0 ? ended(book, open) : structuredClone(book);
        after.orders.push({ plan, status: 'pending', isMarked: false, hasPayout: false, isRevivable: false });
        steps.push([`the buyer orders plan ${plan}`, applied(after, { arrived: null }, world)]);
      }
    if (payments.length < world.mostPayments)
      for (const size of SIZES) {
        const after = structuredClone(book);
        after.payments.push({ size, used: [] });
        steps.push([`${size} arrive`, applied(after, { arrived: payments.length }, world)]);
      }
    for (const [nth, order] of orders.entries()) {
      if (refuseCancelling(facts(nth)) === null) {
        steps.push([`the buyer cancels ${nth}`, ended(book, nth)]);
        steps.push([`${nth} expires`, ended(book, nth)]);
      }
      if (world.canCredit && refuseCancelling(facts(nth), { isPaidToCredit: true }) === null)
        steps.push([`a super admin cancels ${nth}`, ended(book, nth)]);
      const markable = {
        status: order.status,
        isOfPool: false,
        wasPaidOnChain: paidOf(book, nth) > 0,
        hasPayout: order.hasPayout,
        hasOtherOpenOrder: orders.some(({ status }, other) => other !== nth && status === 'pending'),
      };
      if (world.canMark && decideMarking(markable, true) === 'change')
        steps.push([`${nth} is marked as paid`, changed(book, nth, { status: 'paid', isMarked: true })]);
      if (world.canMark && decideMarking(markable, false) === 'change')
        steps.push([
          `${nth} is marked as unpaid`,
          changed(book, nth, { status: 'pending', isMarked: false }),
        ]);
      if (order.status === 'paid' && !order.isMarked)
        steps.push([`a share of ${nth} is paid out`, changed(book, nth, { hasPayout: true })]);
      if (order.isRevivable)
        steps.push([`a week passes after ${nth}`, changed(book, nth, { isRevivable: false })]);
    }
    return steps;
  };

const search = (world: Partial<World> = {}) =>
  explore<Book>({
    first: { orders: [], payments: [] },
    stepsOf: stepsOf({ ...WHOLE, ...world }),
    nameOf: (book) => JSON.stringify(book),
  });

/** What must hold in every state. */
function whatIsWrong(book: Book): string | null {
  if (book.orders.filter(({ status }) => status === 'pending').length > 1) return 'two orders are open';
  for (const [nth, payment] of book.payments.entries())
    if (openOf(payment) < 0 || payment.used.some((used) => used < 0)) return `payment ${nth} is used twice`;
  for (const [nth, { status, isMarked }] of book.orders.entries()) {
    const paid = paidOf(book, nth);
    if (status === 'cancelled' && paid > 0) return `${nth} was cancelled, and keeps ${paid}`;
    if (status === 'pending' && paid >= PRICE) return `${nth} waits, and is paid`;
    if (status === 'paid' && !isMarked && paid < PRICE) return `${nth} counts as paid with ${paid}`;
    if (paid > PRICE + TIP) return `${nth} took ${paid}`;
  }
  return null;
}

const settled = ({ orders }: Book) => orders.every(({ status }) => status !== 'pending');
const bought = ({ orders }: Book) => orders.filter(({ status }) => status === 'paid').length;

describe('orders with a bot, in every order of events', () => {
  const whole = search();

  test('all states are visited, and what was paid is where it belongs in each', () => {
    expect(whole.isWhole).toBe(true);
    expect(whole.found.size).toBeGreaterThan(1_000);
    expect(nearestBreach(whole, whatIsWrong)).toBeNull();
  });

  test('money takes no order away, and revives one only where it buys nothing else', () => {
    const isWrong = (before: Book, step: string, after: Book) => {
      if (!step.endsWith('arrive')) return null;
      const was = (nth: number) => before.orders[nth]?.status;
      const bought = [...after.orders.keys()].filter(
        (nth) => after.orders[nth]?.status === 'paid' && was(nth) !== 'paid',
      );
      if (after.orders.some(({ status }, nth) => was(nth) === 'paid' && status !== 'paid'))
        return 'taken away';
      return bought.length > 1 && bought.some((nth) => was(nth) === 'cancelled')
        ? 'revived beside another'
        : null;
    };
    expect(nearestWrongStep(whole, isWrong)).toBeNull();
    // Credit pays the order that waits, and the payment would revive the one that it replaced.
    expect(nearestWrongStep(search({ isOrder: false }), isWrong)?.what).toBe('revived beside another');
  });

  test('what was paid out stays bought', () => {
    const wrong = nearestWrongStep(whole, (before, _, after) =>
      before.orders.some(({ hasPayout }, nth) => hasPayout && after.orders[nth]?.status !== 'paid')
        ? 'a share was paid out of it'
        : null,
    );
    expect(wrong).toBeNull();
  });

  test('every order can be brought to an end', () => {
    expect(nearestDeadEnd(whole, settled)).toBeNull();
  });

  test('without the acts of super admins a part that was paid has no way out', () => {
    const without = search({ canCredit: false, canMark: false });
    expect(nearestDeadEnd(without, settled)?.path.at(-1)).toMatch('arrive');
  });

  test('of two orders that ended, a late payment revives neither', () => {
    const revivesOne = (before: Book, step: string, after: Book) =>
      step.endsWith('arrive') &&
      before.orders.filter(({ isRevivable }) => isRevivable).length === 2 &&
      before.orders.every(({ status }) => status === 'cancelled') &&
      before.orders[0]?.plan !== before.orders[1]?.plan &&
      bought(after) > 0
        ? 'which of the two was meant is not known'
        : null;
    expect(nearestWrongStep(whole, revivesOne)).toBeNull();
    expect(nearestWrongStep(search({ guesses: true }), revivesOne)).not.toBeNull();
  });
});
