import { createHash } from 'node:crypto';
import type { Exchange } from '@copydesk/domain/catalogue';
import type { ExchangeCredentials } from '@copydesk/domain/trading';
import { LRUCache } from 'lru-cache';
import { type CallCounters, createCallVenue } from './call-venue.ts';
import { createCcxtInstance } from './ccxt/create-instance.ts';
import { createInstancePool } from './ccxt/instance-pool.ts';
import type { ExchangeAccount, VenueSettings } from './gateway.ts';
import { type BreakerState, createBreaker } from './limits/breaker.ts';
import type { Clock } from './limits/clock.ts';
import { createRequestQueue, type Lane } from './limits/request-queue.ts';
import { createTokenBucket, type TokenBucket } from './limits/token-bucket.ts';
import { createNotices, type NoteVenue, type NoticeCounts } from './notices.ts';
import { createDispatcher } from './transport/create-dispatcher.ts';
import { createVenueFetch } from './transport/venue-fetch.ts';
import type { Endpoint, Session, Venue } from './venue.ts';

/** The requests to one venue so far, and whether it is available at present. */
export interface VenueUsage extends CallCounters {
  waiting: number;
  breaker: BreakerState;
  instances: number;
  notices: NoticeCounts;
}

export interface VenueRuntime {
  /** Calls for an account that is read repeatedly. */
  session(account: ExchangeAccount, lane: Lane): Session;
  /** Calls for credentials that may be refused in a moment: nothing of them is cached. */
  passingSession(credentials: ExchangeCredentials, lane: Lane): Session;
  /** Calls whose answers are newer than the call: it never joins a request under way. */
  freshSession(account: ExchangeAccount, lane: Lane): Session;
  /** A lane became urgent. */
  wake(): void;
  forget(isForgotten: (identity: string) => boolean): void;
  usage(): VenueUsage;
  close(): Promise<void>;
}

/** Identifies an account together with its credentials, so that nothing from older ones is used for it. */
export function identityOf({ key, credentials, region }: ExchangeAccount): string {
  const named = JSON.stringify([credentials, region ?? null]);
  return `${key}\n${createHash('sha256').update(named).digest('base64url')}`;
}

const BUDGETS_KEPT = 5_000;
/** The part of a deadline that a request may wait for its turn: a longer wait leaves no time for its answer. */
const WAITING_PART = 0.8;

/** The parts of one venue: its connections, limits, breaker and ccxt instances. */
export function createVenueRuntime(
  exchange: Exchange,
  venue: Venue,
  settings: VenueSettings,
  { clock, onNotice }: { clock: Clock; onNotice: NoteVenue },
): VenueRuntime {
  const { now } = clock;
  const dispatcher = createDispatcher(settings);
  const fetch = createVenueFetch(dispatcher, venue.isAllowed);
  const bucket = createTokenBucket(
    { ...venue.limits.venue, burst: settings.burst ?? venue.limits.venue.burst },
    settings.budgetShare,
    now,
  );
  const breaker = createBreaker(now);
  const { timeoutMs, deadlineMs } = settings;
  const longestWaitMs = deadlineMs === undefined ? timeoutMs : Math.min(timeoutMs, deadlineMs * WAITING_PART);
  const queue = createRequestQueue({ clock, venue: bucket, breaker, longestWaitMs });
  const counters: CallCounters = { requests: 0, weight: 0, failures: 0 };
  const notices = createNotices(now, onNotice);
  const call = createCallVenue({
    venue,
    now,
    breaker,
    queue,
    bucket,
    counters,
    onUnknownCode: (endpoint, why) =>
      notices.note({ exchange, call: endpoint.method, kind: 'unknown_code', why }),
  });
  const calls = new Set(Object.values(venue.endpoints).map(({ method }) => method));
  const instances = createInstancePool();
  const keyless = createInstancePool(1);
  const underWay = new Map<string, Promise<unknown>>();
  const budgets = new LRUCache<string, TokenBucket>({ max: BUDGETS_KEPT });

  const create = (credentials: ExchangeCredentials | null) => () =>
    createCcxtInstance(exchange, credentials, settings, { fetch, calls, now });

  function budgetOf(identity: string, { method, accountLimit }: Endpoint): TokenBucket {
    const key = accountLimit ? `${identity}\n${method}` : identity;
    const known = budgets.get(key);
    if (known) return known;
    const budget = createTokenBucket(
      accountLimit ?? venue.limits.account,
      settings.accountShare ?? settings.budgetShare,
      now,
    );
    budgets.set(key, budget);
    return budget;
  }

  /** On some venues equity and positions are one answer: requests for both at once are sent once. */
  function together(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const known = underWay.get(key);
    if (known) return known;
    const asked = ask().finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  }

  function open(
    credentials: ExchangeCredentials,
    instance: ReturnType<typeof create>,
    identity: string,
    lane: Lane,
    share: typeof together = together,
  ): Session {
    return {
      credentials,
      now,
      noteEnd(endpoint, why) {
        if (why !== null) notices.note({ exchange, call: endpoint.method, kind: 'list_ended', why });
      },
      call: (endpoint, params = {}) =>
        share(`${identity}\n${lane.priority}\n${endpoint.method}\n${JSON.stringify(params)}`, () =>
          call(endpoint, params, { instance, lane, account: budgetOf(identity, endpoint) }),
        ),
      callPublic: (endpoint, params = {}) =>
        call(endpoint, params, {
          instance: () => keyless.get('', create(null)),
          lane,
          account: null,
        }),
    };
  }

  function openLasting(account: ExchangeAccount, lane: Lane, share?: typeof together): Session {
    const identity = identityOf(account);
    const instance = () => instances.get(identity, create(account.credentials));
    return open(account.credentials, instance, identity, lane, share);
  }

  return {
    session: (account, lane) => openLasting(account, lane),
    freshSession: (account, lane) => openLasting(account, lane, (_key, ask) => ask()),
    passingSession(credentials, lane) {
      const made = createInstancePool(1);
      const identity = identityOf({ key: '', credentials });
      return open(credentials, () => made.get('', create(credentials)), identity, lane);
    },
    wake: queue.wake,
    forget(isForgotten) {
      instances.forget(isForgotten);
      for (const identity of [...budgets.keys()]) if (isForgotten(identity)) budgets.delete(identity);
    },
    usage: () => ({
      ...counters,
      waiting: queue.waiting(),
      breaker: breaker.state(),
      instances: instances.size(),
      notices: notices.counts,
    }),
    close: () => dispatcher.destroy(),
  };
}
