import {
  type ClosedReadPlan,
  type ExchangeProblem,
  hasShrunk,
  LAST_READ_WITHIN_MS,
  nextReadInMs,
  planClosedRead,
  planLastRead,
} from '@copydesk/domain';
import { failureOf, type GatewayFailure } from '../../../core/exchanges/gateway-failure.ts';
import type {
  ClosedPosition,
  ExchangeAccount,
  ExchangeGateway,
  ReadOptions,
} from '../../../integrations/exchanges/gateway.ts';
import type { Keyring } from '../../../platform/crypto/keyring.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/jobs/worker-actor.ts';
import type { Logger } from '../../../platform/log/log.ts';
import { listCredentials } from '../credentials/credentials.store.ts';
import { readableAccount } from './readable-account.ts';
import * as store from './reading.store.ts';

export interface ReadingDeps {
  db: Database;
  gateway: ExchangeGateway;
  keyring: Keyring;
  log: Logger;
  now: () => number;
  everyMs: number;
  leaseMs: number;
}

/** A turn reads a long history for at most this long, then yields to other accounts. */
const TURN_MS = 10_000;
/** Problems of a cursor that an exchange no longer accepts: the range is read again from its start. */
const DEAD_CURSOR: ReadonlySet<ExchangeProblem> = new Set(['bad_response', 'unsupported']);

/**
 * One turn of one account: equity, open positions and, if the plan says so, closed positions. All are saved in one
 * transaction, which saves nothing when the lease was lost meanwhile.
 */
export async function readAccount(deps: ReadingDeps, claimed: store.ClaimedAccount): Promise<void> {
  const { db, gateway, keyring } = deps;
  const { secrets, before } = await db.read(WHOLE_SCOPE, async (tx) => ({
    secrets: await listCredentials(tx, [claimed.id]),
    before: await store.listOpenSizes(tx, claimed.id),
  }));
  const account = readableAccount(keyring, claimed, secrets);
  if (claimed.last_read_until)
    return readLast(deps, { claimed, account, removedAt: claimed.last_read_until });
  if (!account)
    return fail(deps, claimed, { code: 'invalid_credentials', isRetryable: false, retryAfterMs: null });

  const options: ReadOptions = { priority: claimed.is_requested ? 'interactive' : 'background', maxAgeMs: 0 };
  let figures: Awaited<ReturnType<typeof readFigures>>;
  try {
    figures = await readFigures(gateway, account, options);
  } catch (error) {
    return fail(deps, claimed, failureOf(error));
  }
  const plan = planClosedRead(stateOf(claimed), {
    now: deps.now(),
    hasShrunk: hasShrunk(before, figures.open.positions),
    isRequested: claimed.is_requested,
  });
  const { progress, failure } = plan
    ? await readClosed(deps, claimed, account, plan, options)
    : { progress: null, failure: null };

  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    // An incomplete history continues at once in the next turn.
    const goesOn = !failure && progress !== null && !progress.isDone;
    const nextInMs = goesOn ? 0 : nextIn(deps, claimed, failure);
    const isOurs = await store.finishReading(tx, claimed, {
      at: deps.now(),
      nextInMs,
      failed: failure !== null,
      closed: progress,
    });
    if (!isOurs) return;
    await store.saveFigures(tx, claimed, { ...figures, readError: failure?.code ?? null });
    if (progress) await store.saveClosed(tx, claimed, progress.items);
  });
}

/**
 * One turn of a removed account: its closed positions up to the removal, by the key that is kept for it. The key is
 * destroyed with the end of the range, once it is refused, and a day after the removal; what was not read by then is noted.
 */
async function readLast(
  deps: ReadingDeps,
  {
    claimed,
    account,
    removedAt,
  }: { claimed: store.ClaimedAccount; account: ExchangeAccount | null; removedAt: Date },
): Promise<void> {
  const { db, gateway, now } = deps;
  const isLate = now() - removedAt.getTime() >= LAST_READ_WITHIN_MS;
  const plan = planLastRead(stateOf(claimed), removedAt.getTime());
  const { progress, failure } =
    account && !isLate
      ? await readClosed(deps, claimed, account, plan, { priority: 'background', maxAgeMs: 0 })
      : { progress: null, failure: null };
  const isRead = progress?.isDone === true && plan.until >= removedAt.getTime();
  const isOver = isRead || isLate || !account || failure?.isRetryable === false;
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const goesOn = !failure && progress !== null;
    const end = {
      at: now(),
      nextInMs: goesOn ? 0 : nextIn(deps, claimed, failure),
      failed: failure !== null,
      closed: progress,
    };
    const since = progress?.isDone ? new Date(plan.until) : (claimed.closed_known_to ?? claimed.connected_at);
    const unread = isRead || since >= removedAt ? null : { since, until: removedAt };
    const isOurs = isOver
      ? await store.endLastReading(tx, claimed, unread)
      : await store.finishReading(tx, claimed, end);
    if (isOurs && progress) await store.saveClosed(tx, claimed, progress.items);
  });
  if (isOver) gateway.forget(claimed.id);
}

async function readFigures(gateway: ExchangeGateway, account: ExchangeAccount, options: ReadOptions) {
  const [equity, open] = await Promise.all([
    gateway.equity(account, options),
    gateway.openPositions(account, options),
  ]);
  return { equity, open };
}

/** Reads a range page by page until it ends, the turn is over or the exchange fails; pages already read are kept. */
async function readClosed(
  deps: ReadingDeps,
  claimed: store.ClaimedAccount,
  account: ExchangeAccount,
  plan: ClosedReadPlan,
  options: ReadOptions,
): Promise<{ progress: store.ClosedProgress | null; failure: GatewayFailure | null }> {
  const { gateway, log, now } = deps;
  const startedAt = now();
  const range = { sinceMs: plan.since, untilMs: plan.until };
  const items: ClosedPosition[] = [];
  let isFirst = true;
  // Some exchanges show only with the last page how far back they remember.
  let isForgotten = false;
  let cursor = plan.cursor;
  try {
    do {
      const asked = cursor === null ? range : { ...range, cursor };
      const page = await gateway.closedPositions(account, asked, options);
      if (page.coverageFrom > plan.since && !isForgotten) {
        isForgotten = true;
        log.warn(
          {
            account: claimed.id,
            exchange: claimed.exchange,
            from: plan.since,
            coverageFrom: page.coverageFrom,
          },
          'the exchange has forgotten closed positions that were not read',
        );
      }
      isFirst = false;
      cursor = page.nextCursor;
      items.push(...page.items);
    } while (cursor !== null && now() - startedAt < TURN_MS);
    return { progress: { ...plan, items, cursor, isDone: cursor === null }, failure: null };
  } catch (error) {
    // The range stays due: its cause, such as a vanished position, is not seen twice.
    const failure = failureOf(error);
    const place = isFirst && DEAD_CURSOR.has(failure.code) ? null : cursor;
    return { progress: { ...plan, items, cursor: place, isDone: false }, failure };
  }
}

/** Ends a turn that failed on our code or data, so it is not retried at once without end. */
export function giveUpTurn(deps: ReadingDeps, claimed: store.ClaimedAccount): Promise<void> {
  return fail(deps, claimed, { code: 'bad_response', isRetryable: true, retryAfterMs: null });
}

async function fail(
  deps: ReadingDeps,
  claimed: store.ClaimedAccount,
  failure: GatewayFailure,
): Promise<void> {
  await deps.db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const end = { at: deps.now(), nextInMs: nextIn(deps, claimed, failure), failed: true, closed: null };
    if (await store.finishReading(tx, claimed, end)) await store.saveReadError(tx, claimed, failure.code);
  });
}

function nextIn(
  { everyMs }: ReadingDeps,
  claimed: store.ClaimedAccount,
  failure: GatewayFailure | null,
): number {
  return nextReadInMs({
    everyMs,
    failures: failure ? claimed.failures + 1 : 0,
    isRetryable: failure?.isRetryable ?? false,
    retryAfterMs: failure?.retryAfterMs ?? null,
    spread: Math.random(),
  });
}

function stateOf(claimed: store.ClaimedAccount) {
  const { closed_since: since, closed_until: until, closed_cursor: cursor } = claimed;
  return {
    exchange: claimed.exchange,
    connectedAt: claimed.connected_at.getTime(),
    knownTo: claimed.closed_known_to?.getTime() ?? null,
    readAt: claimed.closed_read_at?.getTime() ?? null,
    rescannedAt: claimed.closed_rescanned_at?.getTime() ?? null,
    unfinished:
      since && until
        ? { since: since.getTime(), until: until.getTime(), cursor, isRescan: claimed.closed_is_rescan }
        : null,
  };
}
