import {
  CLOSE_OVERLAP_MS,
  type ClosedReadPlan,
  type ExchangeProblem,
  hasShrunk,
  isLastReadFinal,
  LAST_READ_WITHIN_MS,
  nextReadInMs,
  planClosedRead,
  planLastRead,
  surelyKnownTo,
} from '@copydesk/domain/trading';
import { failureOf, type GatewayFailure } from '../../../core/exchanges/gateway-failure.ts';
import type {
  ClosedPosition,
  ExchangeAccount,
  ExchangeGateway,
  ReadOptions,
} from '../../../integrations/exchanges/gateway.ts';
import { type Database, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/observe/log.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
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
    return readLast(deps, { claimed, account, removedAt: claimed.last_read_until.getTime() });
  if (!account)
    return fail(deps, claimed, { code: 'invalid_credentials', isRetryable: false, retryAfterMs: null });

  const options: ReadOptions = { priority: claimed.is_requested ? 'interactive' : 'background', maxAgeMs: 0 };
  let figures: Awaited<ReturnType<typeof readFigures>>;
  try {
    figures = await readFigures(gateway, account, options);
  } catch (error) {
    return fail(deps, claimed, failureOf(error));
  }
  const key = claimed.is_key_due ? await readKey(gateway, account) : null;
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
    await store.saveFigures(tx, claimed, { ...figures, key, readError: failure?.code ?? null });
    if (progress) await store.saveClosed(tx, claimed, progress.items);
  });
}

/**
 * One turn of a removed account: its closed positions up to the removal, read with the kept key. A first read
 * at once saves what is there; the final one begins when exchanges have listed late closes too. The key is
 * destroyed when the final read ends, when it is refused, or a day after the removal; the time that was not
 * read by then is noted.
 */
async function readLast(
  deps: ReadingDeps,
  {
    claimed,
    account,
    removedAt,
  }: { claimed: store.ClaimedAccount; account: ExchangeAccount | null; removedAt: number },
): Promise<void> {
  const { db, gateway, now } = deps;
  const state = stateOf(claimed);
  const startedAt = now();
  const isLate = startedAt - removedAt >= LAST_READ_WITHIN_MS;
  const plan = planLastRead(state, removedAt);
  const { progress, failure, unlisted } =
    account && !isLate ? await readHistory(deps, claimed, account, plan) : NOTHING_READ;
  const isRead = progress?.isDone === true && plan.until >= removedAt;
  const isFinal = isRead && isLastReadFinal(state, { removedAt, startedAt });
  const isOver = isFinal || isLate || !account || failure?.isRetryable === false;
  const knownTo = progress?.isDone ? plan.until : state.knownTo;
  // Closes that the exchange left out are missing only where no earlier read has them.
  const gaps = unlisted === null ? [] : [{ since: surelyKnownTo(state), until: unlisted }];
  if (isOver && !isFinal) gaps.push({ since: surelyKnownTo({ ...state, knownTo }), until: removedAt });
  const unread = spanOf(gaps, removedAt);
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
    const goesOn = !failure && progress !== null;
    const waits = isRead ? Math.max(0, removedAt + CLOSE_OVERLAP_MS - now()) : 0;
    const end = {
      at: now(),
      nextInMs: goesOn ? waits : nextIn(deps, claimed, failure),
      failed: failure !== null,
      closed: progress,
    };
    // One turn over the whole range is the better evidence of what earlier turns missed in it.
    const readFrom = isFinal && !state.unfinished && unread === null ? new Date(plan.since) : null;
    const isOurs = isOver
      ? await store.endLastReading(tx, claimed, { unread, readFrom })
      : await store.finishReading(tx, claimed, end);
    if (isOurs && !isOver && unread) await store.recordUnread(tx, claimed, unread);
    if (isOurs && progress) await store.saveClosed(tx, claimed, progress.items);
  });
  if (isOver) gateway.forget(claimed.id);
}

const NOTHING_READ = { progress: null, failure: null, unlisted: null };

/** The span over all gaps before an end; null: there is none. */
function spanOf(gaps: { since: number; until: number }[], end: number) {
  const real = gaps
    .map(({ since, until }) => ({ since, until: Math.min(until, end) }))
    .filter(({ since, until }) => since < until);
  if (real.length === 0) return null;
  return {
    since: new Date(Math.min(...real.map(({ since }) => since))),
    until: new Date(Math.max(...real.map(({ until }) => until))),
  };
}

/**
 * Closed positions are read after the figures: only the figures tell an empty history from an account in
 * another mode.
 */
async function readHistory(
  deps: ReadingDeps,
  claimed: store.ClaimedAccount,
  account: ExchangeAccount,
  plan: ClosedReadPlan,
): Promise<HistoryRead> {
  const options: ReadOptions = { priority: 'background', maxAgeMs: 0 };
  try {
    await readFigures(deps.gateway, account, options);
  } catch (error) {
    return { ...NOTHING_READ, failure: failureOf(error) };
  }
  return readClosed(deps, claimed, account, plan, options);
}

interface HistoryRead {
  progress: store.ClosedProgress | null;
  failure: GatewayFailure | null;
  /** Before this, the exchange did not list everything in the range; null: it did. */
  unlisted: number | null;
}

async function readFigures(gateway: ExchangeGateway, account: ExchangeAccount, options: ReadOptions) {
  const [equity, open] = await Promise.all([
    gateway.equity(account, options),
    gateway.openPositions(account, options),
  ]);
  return { equity, open };
}

/** When the key ends. A failure is ignored: the next turn asks again. */
const readKey = (gateway: ExchangeGateway, account: ExchangeAccount) =>
  gateway.keyInfo(account, { priority: 'background', maxAgeMs: 0 }).catch(() => null);

/** Reads a range page by page until it ends, the turn is over or the exchange fails; pages already read are kept. */
async function readClosed(
  deps: ReadingDeps,
  claimed: store.ClaimedAccount,
  account: ExchangeAccount,
  plan: ClosedReadPlan,
  options: ReadOptions,
): Promise<HistoryRead> {
  const { gateway, log, now } = deps;
  const startedAt = now();
  const range = { sinceMs: plan.since, untilMs: plan.until };
  const items: ClosedPosition[] = [];
  let isFirst = true;
  // Some exchanges show only on the last page how far back they remember.
  let unlisted: number | null = null;
  let cursor = plan.cursor;
  try {
    do {
      const asked = cursor === null ? range : { ...range, cursor };
      const page = await gateway.closedPositions(account, asked, options);
      const listedFrom = page.endedEarly ? plan.until : page.coverageFrom;
      if (listedFrom > plan.since && unlisted === null)
        log.warn(
          {
            account: claimed.id,
            exchange: claimed.exchange,
            from: plan.since,
            coverageFrom: page.coverageFrom,
            endedEarly: page.endedEarly ?? false,
          },
          'the exchange has forgotten closed positions that were not read, or its list broke off',
        );
      if (listedFrom > plan.since) unlisted = Math.max(unlisted ?? 0, listedFrom);
      isFirst = false;
      cursor = page.nextCursor;
      items.push(...page.items);
    } while (cursor !== null && now() - startedAt < TURN_MS);
    return { progress: { ...plan, items, cursor, isDone: cursor === null }, failure: null, unlisted };
  } catch (error) {
    // The range stays due: its cause, such as a vanished position, is not seen twice.
    const failure = failureOf(error);
    const place = isFirst && DEAD_CURSOR.has(failure.code) ? null : cursor;
    return { progress: { ...plan, items, cursor: place, isDone: false }, failure, unlisted };
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
