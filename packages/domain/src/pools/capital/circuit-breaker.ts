import { ExactDecimal } from '../../money/exact-decimal.ts';

/**
 * How many points of drawdown a pool may still lose before its circuit breaker keeps it from trading; zero or less: it
 * does.
 * @param drawdown per cent from the highest unit price, zero or less @param limit per cent, above zero
 */
export function breakerDistance(drawdown: string, limit: string): string {
  return new ExactDecimal(limit).plus(drawdown).toFixed();
}

/** Whether a pool with this drawdown may not trade on. @param limit null: there is none */
export function isBreakerTripped(drawdown: string, limit: string | null): boolean {
  return limit !== null && !new ExactDecimal(breakerDistance(drawdown, limit)).gt(0);
}

/**
 * From this fraction of its limit on, a pool is near its circuit breaker: a few bad days trip it, while there
 * is still time to take less risk, or to decide about the limit.
 */
export const BREAKER_NEAR = 0.75;

/** A limit that was raised or removed since the pool traded last. */
export interface RaisedBreaker {
  by: string;
  /** The limit before. */
  from: string;
}

/** Whether a change of a limit lets a pool trade on that could not before. @param after null: no limit */
const isBreakerRaised = (before: string, after: string | null): boolean =>
  after === null || new ExactDecimal(after).gt(before);

/**
 * The raises in force after a change of the limit by this person: the lowest limit of each person since the
 * pool traded last. A raise by one person keeps those of others, who would otherwise be free of their earlier
 * limit.
 */
export function raisedBreaker(
  by: string,
  {
    before,
    after,
    earlier,
  }: { before: string | null; after: string | null; earlier: readonly RaisedBreaker[] },
): readonly RaisedBreaker[] {
  if (before === null || !isBreakerRaised(before, after)) return earlier;
  const isOwn = (raise: RaisedBreaker) => raise.by === by;
  const from = lowest([before, ...earlier.filter(isOwn).map((raise) => raise.from)]);
  return [...earlier.filter((raise) => !isOwn(raise)), { by, from }];
}

/**
 * The limit that holds when this person lets the pool trade on: raising it first must not allow that alone,
 * under the same account or under one that the person made.
 * @param accountsOf the accounts that may belong to the person of an account (`responsibleIds`)
 */
export function limitFor(
  person: string,
  {
    limit,
    raises,
    accountsOf,
  }: {
    limit: string | null;
    raises: readonly RaisedBreaker[];
    accountsOf(id: string): readonly string[];
  },
): string | null {
  const own = new Set(accountsOf(person));
  const held = raises.filter(({ by }) => accountsOf(by).some((id) => own.has(id))).map(({ from }) => from);
  if (held.length === 0) return limit;
  return lowest(limit === null ? held : [limit, ...held]);
}

const lowest = (limits: readonly string[]): string =>
  limits.reduce((least, each) => (new ExactDecimal(each).lt(least) ? each : least));
