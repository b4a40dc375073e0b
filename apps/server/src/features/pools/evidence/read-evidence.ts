import { decimalToUnits, dustOf } from '@copydesk/domain';
import type { ClosedPosition } from '../../../integrations/exchanges/gateway.ts';
import { GatewayError } from '../../../integrations/exchanges/gateway.ts';
import type {
  CoinBalance,
  PoolAccount,
  WithdrawalRecord,
} from '../../../integrations/exchanges/pool-records.ts';
import type { PoolVenue } from '../../../integrations/exchanges/pool-venue.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import { poolAccountOf } from '../keys/pool-account.ts';
import type { PoolKeyOpener } from '../keys/pool-key-opener.ts';
import * as store from './evidence.store.ts';

export interface EvidenceDeps {
  db: Database;
  poolKeys: PoolKeyOpener;
  venue: PoolVenue;
  now: () => Date;
}

/**
 * check: positions, orders, balances and closed positions. withdrawal: also withdrawals and the rules that dust follows
 * from. result: also the exchange's own log, which cross-checks a valuation.
 */
export type EvidenceDepth = 'check' | 'withdrawal' | 'result';

/** A hundred positions a page. What is left is read at the next look, and refuses a start until then. */
const MOST_PAGES = 200;
const SPAN_MS = 7 * 86_400_000;
const OPTIONS = { priority: 'interactive' } as const;
const MOVED = /^TRANSFER/;
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
 * @returns the id of the evidence
 * @throws GatewayError and no other error of the exchange
 */
export async function readEvidence(
  deps: EvidenceDeps,
  of: { poolId: string; cycleId: string },
  depth: EvidenceDepth,
): Promise<string> {
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
  const loggedUnits = depth === 'result' ? await readLog(reading) : null;
  const feeUnits = money?.feeUnits ?? 0n;
  const evidence: store.NewEvidence = {
    readAt: new Date(Math.min(balances.readAt, positions.readAt, orders.readAt)),
    openPositions: positions.positions.length,
    openOrders: orders.count,
    unstoredPositions: closed.readUntilMs === untilMs ? 0 : 1,
    balanceUnits: balances.totalUnits,
    otherCoinsUnits: worthOf(balances.otherCoins),
    openWithdrawals: money?.openWithdrawals ?? null,
    withdrawalFeeUnits: feeUnits,
    dustUnits: money?.dustUnits ?? dustOf(0n, 0n),
    // What stays there counts as 0, and fees of withdrawals are no part of the log.
    loggedResultUnits: loggedUnits === null ? null : loggedUnits - feeUnits - balances.totalUnits,
  };
  return db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    await store.insertPositions(tx, of, closed.items);
    await store.saveReadUntil(tx, of.poolId, new Date(closed.readUntilMs));
    if (money) await store.saveMovements(tx, of.poolId, { withdrawals: money.withdrawals });
    return store.insertEvidence(tx, of, evidence);
  });
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
}

/** Withdrawals of this cycle, and the balance that counts as empty. */
async function readMoney({ account, venue, sinceMs, untilMs }: Read): Promise<Money> {
  const rules = await venue.readCoin(account, OPTIONS);
  const dustUnits = dustOf(rules.withdrawMinUnits ?? 0n, rules.withdrawFeeUnits ?? 0n);
  try {
    const { withdrawals } = await venue.listWithdrawals(account, { sinceMs, untilMs }, OPTIONS);
    const isOpen = ({ state }: WithdrawalRecord) => state === 'under_way' || state === 'unknown';
    const done = withdrawals.filter(({ state }) => state === 'done');
    return {
      withdrawals,
      openWithdrawals: withdrawals.filter(isOpen).length,
      feeUnits: done.reduce((sum, { feeUnits }) => sum + feeUnits, 0n),
      dustUnits,
    };
  } catch (error) {
    // Keys of subaccounts may not list them.
    if (error instanceof GatewayError && error.code === 'unsupported')
      return { withdrawals: [], openWithdrawals: null, feeUnits: 0n, dustUnits };
    throw error;
  }
}

/** The result by the exchange's own log: every change that is no transfer. Null: it could not be read. */
async function readLog({ account, venue, sinceMs, untilMs }: Read): Promise<bigint | null> {
  try {
    const { byType } = await venue.sumTransactionLog(account, { sinceMs, untilMs }, OPTIONS);
    return Object.entries(byType).reduce((sum, [type, units]) => (MOVED.test(type) ? sum : sum + units), 0n);
  } catch (error) {
    if (error instanceof GatewayError && !error.isRetryable) return null;
    throw error;
  }
}

/** The value of other coins in base units, rounded down. One without a value counts as far above any limit. */
function worthOf(coins: readonly CoinBalance[]): bigint {
  return coins.reduce((sum, { usd, amount }) => {
    if (usd === null) return Number(amount) === 0 ? sum : sum + UNKNOWN_VALUE;
    const cut = usd.replace(new RegExp(`(\\.\\d{${UNITS_DECIMALS}})\\d+$`), '$1');
    return sum + (decimalToUnits(cut) ?? UNKNOWN_VALUE);
  }, 0n);
}

const UNKNOWN_VALUE = 10n ** 24n;
