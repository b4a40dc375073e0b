import { decimalToUnits, mostOf } from '@copydesk/domain/money';
import { dustOf, type ForeignSum, sortLog } from '@copydesk/domain/pools';
import type { ClosedPosition } from '../../../integrations/exchanges/gateway.ts';
import { GatewayError } from '../../../integrations/exchanges/gateway.ts';
import type {
  CoinBalance,
  PoolAccount,
  WithdrawalRecord,
} from '../../../integrations/exchanges/pool-records.ts';
import type { PoolVenue } from '../../../integrations/exchanges/pool-venue.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { poolAccountOf } from '../keys/pool-account.ts';
import type { PoolKeyOpener } from '../keys/pool-key-opener.ts';
import { saveRead } from '../reading/pool-reads.store.ts';
import * as store from './evidence.store.ts';

export interface EvidenceDeps {
  db: Database;
  poolKeys: PoolKeyOpener;
  venue: PoolVenue;
  now: () => Date;
}

/**
 * check: positions, orders, balances and closed positions. withdrawal: also withdrawals and the rules that dust follows
 * from. result: also the exchange's own log since the last valuation, which cross-checks one.
 */
export type EvidenceDepth = 'check' | 'withdrawal' | 'result';

/** A page has a hundred positions. The rest is read at the next look, and refuses a start until then. */
const MOST_PAGES = 200;
const SPAN_MS = 7 * 86_400_000;
/** A read may be this much older than the state that it leads to. */
const OVERLAP_MS = 60_000;
const OPTIONS = { priority: 'interactive' } as const;
const UNITS_DECIMALS = 18;

interface Read {
  account: PoolAccount;
  venue: PoolVenue;
  sinceMs: number;
  untilMs: number;
}

/**
 * Reads a pool's account at the exchange and stores the answer as evidence, with the closed positions and the movements
 * that it lists. Nothing is stored when a part of it fails.
 * @param pausedAt for what left the account since: trading was paused, so the log of that time is short
 * @returns whether the owner could withdraw there now; null: not read
 * @throws GatewayError and no other error of the exchange
 */
export async function readEvidence(
  deps: EvidenceDeps,
  of: { poolId: string; cycleId: string },
  depth: EvidenceDepth,
  { pausedAt }: { pausedAt?: Date } = {},
): Promise<{ mayWithdraw: boolean | null }> {
  const { db, venue, now } = deps;
  const account = await poolAccountOf(deps, of.poolId);
  const start = await db.read(WHOLE_SCOPE, (tx) => store.findReadingStart(tx, of));
  const untilMs = now().getTime();
  const reading = { account, venue, sinceMs: start.cycleSince.getTime(), untilMs };
  const closed = await readPositions({ ...reading, sinceMs: start.positionsSince.getTime() });
  const [balances, positions, orders, money] = await Promise.all([
    venue.readBalances(account, OPTIONS),
    venue.listPositions(account, OPTIONS),
    venue.countOpenOrders(account, OPTIONS),
    depth === 'check' ? null : readMoney(reading),
  ]);
  const log = depth === 'result' ? await readLog({ ...reading, sinceMs: start.logSince.getTime() }) : null;
  const left = pausedAt && (await readLog({ ...reading, sinceMs: pausedAt.getTime() - OVERLAP_MS }));
  const feeUnits = money?.feeUnits ?? 0n;
  const evidence: store.NewEvidence = {
    readAt: new Date(Math.min(balances.readAt, positions.readAt, orders.readAt)),
    openPositions: positions.positions.length,
    openOrders: orders.count,
    unstoredPositions: closed.readUntilMs === untilMs ? 0 : 1,
    balanceUnits: balances.totalUnits,
    ...worthOf(balances.otherCoins),
    owedUnits: balances.owedUnits,
    leftUnits: leftOf(left?.foreign ?? []),
    openWithdrawals: money?.openWithdrawals ?? null,
    withdrawalFeeUnits: feeUnits,
    dustUnits: money?.dustUnits ?? dustOf(0n, 0n),
    // The remaining balance counts as 0, and the log contains no withdrawal fees.
    loggedResultUnits: log && log.tradedUnits - feeUnits - balances.totalUnits,
    foreign: log?.foreign ?? null,
    logReadUntil: log && new Date(untilMs),
  };
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await store.insertPositions(tx, of, closed.items);
    await store.saveReadUntil(tx, of.poolId, new Date(closed.readUntilMs));
    if (money) await store.saveMovements(tx, of.poolId, { withdrawals: money.withdrawals, at: now() });
    await store.insertEvidence(tx, of, evidence);
    // The same figure wherever the exchange balance is shown.
    await saveRead(tx, of.poolId, {
      units: balances.totalUnits + balances.unified.unrealizedUnits,
      readAt: evidence.readAt,
      openPositions: evidence.openPositions,
      openOrders: evidence.openOrders,
    });
  });
  return { mayWithdraw: money?.mayWithdraw ?? null };
}

/** Closed positions, and until when all of them were read. */
interface ReadPositions {
  items: ClosedPosition[];
  readUntilMs: number;
}

/**
 * The positions closed in a span of time, in spans that the exchange lists newest first. Only a span that was read to
 * its end counts: what a limit of pages leaves out is older than what it read.
 */
async function readPositions({ account, venue, sinceMs, untilMs }: Read): Promise<ReadPositions> {
  const items: ClosedPosition[] = [];
  let pages = 0;
  let readUntilMs = sinceMs;
  while (readUntilMs < untilMs) {
    const span = { sinceMs: readUntilMs, untilMs: Math.min(readUntilMs + SPAN_MS, untilMs) };
    let cursor: string | null | undefined;
    while (cursor !== null) {
      if (pages === MOST_PAGES) return { items, readUntilMs };
      pages += 1;
      const answer = await venue.listClosedPnl(account, { ...span, ...(cursor && { cursor }) }, OPTIONS);
      items.push(...answer.items);
      cursor = answer.nextCursor;
    }
    readUntilMs = span.untilMs;
  }
  return { items, readUntilMs };
}

interface Money {
  withdrawals: WithdrawalRecord[];
  openWithdrawals: number | null;
  feeUnits: bigint;
  dustUnits: bigint;
  mayWithdraw: boolean;
}

/** Withdrawals of this cycle, and the balance that counts as empty. */
async function readMoney({ account, venue, sinceMs, untilMs }: Read): Promise<Money> {
  const rules = await venue.readCoin(account, OPTIONS);
  const { mayWithdraw } = rules;
  const minimumUnits = rules.withdrawMinUnits ?? 0n;
  const dustUnits = dustOf(
    minimumUnits,
    (rules.withdrawFeeUnits ?? 0n) + (minimumUnits * unitsOf(rules.withdrawFeeShare)) / unitsOf('1'),
  );
  try {
    const { withdrawals } = await venue.listWithdrawals(account, { sinceMs, untilMs }, OPTIONS);
    const isOpen = ({ state }: WithdrawalRecord) => state === 'under_way' || state === 'unknown';
    const done = withdrawals.filter(({ state }) => state === 'done');
    return {
      withdrawals,
      openWithdrawals: withdrawals.filter(isOpen).length,
      feeUnits: done.reduce((sum, { feeUnits }) => sum + feeUnits, 0n),
      dustUnits,
      mayWithdraw,
    };
  } catch (error) {
    // Keys of subaccounts may not list them.
    if (error instanceof GatewayError && error.code === 'unsupported')
      return { withdrawals: [], openWithdrawals: null, feeUnits: 0n, dustUnits, mayWithdraw };
    throw error;
  }
}

/** What the exchange's own log lists as trading, and what besides. Null: it could not be read. */
async function readLog({
  account,
  venue,
  sinceMs,
  untilMs,
}: Read): Promise<{ tradedUnits: bigint; foreign: ForeignSum[] } | null> {
  try {
    const { byType } = await venue.sumTransactionLog(account, { sinceMs, untilMs }, OPTIONS);
    return sortLog(byType);
  } catch (error) {
    if (error instanceof GatewayError && !error.isRetryable) return null;
    throw error;
  }
}

/**
 * The value of other coins in base units, rounded down, and of those that are owed: a debt in one coin is not set against
 * another coin. One without a value counts as far above any limit.
 */
function worthOf(
  coins: readonly CoinBalance[],
): Pick<store.NewEvidence, 'otherCoinsUnits' | 'owedCoinsUnits'> {
  let otherCoinsUnits = 0n;
  let owedCoinsUnits = 0n;
  for (const { usd, ...coin } of coins) {
    const [units, owedUnits] = [unitsOf(coin.amount), unitsOf(coin.owed)];
    const value = usd === null ? UNKNOWN_VALUE : sizeOf(unitsOf(usd));
    if (units > 0n) otherCoinsUnits += value;
    // At least a unit: a debt without a value is a debt.
    if (owedUnits > 0n) owedCoinsUnits += mostOf(units > 0n ? (value * owedUnits) / units : value, 1n);
  }
  return { otherCoinsUnits, owedCoinsUnits };
}

/** Digits beyond the 18th are cut off. */
const unitsOf = (text: string): bigint => decimalToUnits(text.replace(TOO_FINE, '$1')) ?? UNKNOWN_VALUE;
const TOO_FINE = new RegExp(`(\\.\\d{${UNITS_DECIMALS}})\\d+$`);
/**
 * The amount that left. Money that came in before it left was not there at the start but may count too: the
 * valuation checks this again.
 */
const leftOf = (sums: readonly ForeignSum[]): bigint =>
  sums.reduce((left, { units }) => (units < 0n ? left - units : left), 0n);
const sizeOf = (units: bigint): bigint => (units < 0n ? -units : units);

const UNKNOWN_VALUE = 10n ** 24n;
