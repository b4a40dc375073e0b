import type { Exchange } from '@copydesk/domain/catalogue';
import type { ExchangeCredentials } from '@copydesk/domain/trading';
import { binance } from './binance/binance.ts';
import { createBybit } from './bybit/bybit.ts';
import { createBybitPools } from './bybit/pool/bybit-pool.ts';
import {
  type ExchangeAccount,
  type ExchangeGateway,
  GatewayError,
  type GatewaySettings,
  type ReadOptions,
  type VerifiedAccount,
} from './gateway.ts';
import { createHyperliquid } from './hyperliquid/hyperliquid.ts';
import { createKucoin } from './kucoin/kucoin.ts';
import { type Clock, createSystemClock } from './limits/clock.ts';
import type { NoteVenue } from './notices.ts';
import { createOkx } from './okx/okx.ts';
import type { PoolVenue } from './pool-venue.ts';
import { createSharedAnswers } from './reads/shared-answers.ts';
import { addUsage } from './reads/venue-usage.ts';
import { findRegion, homeOfKey, settingsOfRegion } from './regions.ts';
import type { Session, Venue } from './venue.ts';
import { createVenueRuntime, identityOf, type VenueRuntime, type VenueUsage } from './venue-runtime.ts';

export type GatewayUsage = Partial<Record<Exchange, VenueUsage>>;

/** The gateway with the accounts of pools, which counts its requests to each venue used. */
export interface CountingGateway extends ExchangeGateway {
  /** Shares limits, breaker and connections with the other reads of Bybit. */
  pools: PoolVenue;
  usage(): Promise<GatewayUsage>;
}

const VENUES: Record<Exchange, () => Venue> = {
  bybit: createBybit,
  binance: () => binance,
  okx: createOkx,
  kucoin: createKucoin,
  hyperliquid: createHyperliquid,
};

const STATE_TTL_MS = 30_000;
const KEY_INFO_TTL_MS = 300_000;

/** Any other error is a mistake of ours; its text may quote signed content. */
function asGatewayError(error: unknown): never {
  throw error instanceof GatewayError ? error : new GatewayError('bad_response');
}

/**
 * The gateway to all exchanges, in this process. The first request to a venue loads it, which blocks for up to a
 * second: a process that serves people uses createThreadedGateway.
 */
export function createExchangeGateway(
  settings: GatewaySettings,
  deps: { now: () => number; clock?: Clock; onNotice?: NoteVenue },
): CountingGateway {
  const onNotice = deps.onNotice ?? (() => {});
  const clock = deps.clock ?? createSystemClock(deps.now);
  const { now } = clock;
  const runtimes = new Map<string, { exchange: Exchange; runtime: VenueRuntime; venue: Venue }>();
  const answers = createSharedAnswers(now);

  /** The parts of a venue's platform. Those of a region share nothing with its main one, not even lists of contracts. */
  function reach(exchange: Exchange, region: string | null = null) {
    const key = region === null ? exchange : `${exchange} ${region}`;
    const known = runtimes.get(key);
    if (known) return known;
    const venue = VENUES[exchange]();
    const own =
      region === null
        ? settings[exchange]
        : settingsOfRegion(settings[exchange], findRegion(venue.regions, region));
    const runtime = createVenueRuntime(exchange, venue, own, { clock, onNotice });
    const reached = { exchange, venue, runtime };
    runtimes.set(key, reached);
    return reached;
  }

  /** An operator's read has its deadline, however many requests it takes. The read itself goes on for other callers. */
  function inTime<T>(
    exchange: Exchange,
    { priority }: Pick<ReadOptions, 'priority'>,
    reading: Promise<T>,
  ): Promise<T> {
    const { deadlineMs } = settings[exchange];
    if (deadlineMs === undefined || priority !== 'interactive') return reading;
    return new Promise<T>((resolve, reject) => {
      const callOff = clock.after(deadlineMs, () => reject(new GatewayError('timeout')));
      reading.then(resolve, reject).finally(callOff);
    });
  }

  async function verifyAt(
    credentials: ExchangeCredentials,
    { priority }: ReadOptions,
    region: string | null,
  ): Promise<VerifiedAccount> {
    try {
      const { venue, runtime } = reach(credentials.exchange, region);
      const session = runtime.passingSession(credentials, { priority });
      const identity = await venue.reader.identify(session);
      return { ...identity, region, equityUsd: await venue.reader.equityUsd(session) };
    } catch (error) {
      return asGatewayError(error);
    }
  }

  function verify(credentials: ExchangeCredentials, options: ReadOptions): Promise<VerifiedAccount> {
    const { exchange } = credentials;
    const { regions } = reach(exchange).venue;
    return homeOfKey(regions, { settings: settings[exchange], clock }, (region) =>
      verifyAt(credentials, options, region),
    );
  }

  function read<T>(
    account: ExchangeAccount,
    options: ReadOptions,
    question: { name: string; ttlMs: number },
    take: (venue: Venue, session: Session) => Promise<T>,
  ): Promise<T> {
    const { exchange } = account.credentials;
    let reached: ReturnType<typeof reach>;
    try {
      reached = reach(exchange, account.region);
    } catch (error) {
      return Promise.reject(error);
    }
    const { venue, runtime } = reached;
    const key = `${identityOf(account)}\n${question.name}`;
    const reading = answers.read({ key, options, ttlMs: question.ttlMs, onUrgent: runtime.wake }, (lane) =>
      take(venue, runtime.session(account, lane)).catch(asGatewayError),
    );
    return inTime(exchange, options, reading);
  }

  return {
    verify: (credentials, options) => inTime(credentials.exchange, options, verify(credentials, options)),
    equity: (account, options) =>
      read(account, options, { name: 'equity', ttlMs: STATE_TTL_MS }, async ({ reader }, session) => ({
        equityUsd: await reader.equityUsd(session),
        readAt: now(),
      })),
    openPositions: (account, options) =>
      read(account, options, { name: 'positions', ttlMs: STATE_TTL_MS }, async ({ reader }, session) => ({
        positions: await reader.openPositions(session),
        readAt: now(),
      })),
    closedPositions(account, { sinceMs, untilMs, cursor }, options) {
      const name = `closed ${sinceMs} ${untilMs} ${cursor ?? ''}`;
      return read(account, options, { name, ttlMs: 0 }, ({ reader }, session) =>
        reader.closedPositions(session, { sinceMs, untilMs }, cursor ?? null),
      );
    },
    keyInfo: (account, options) =>
      read(account, options, { name: 'key', ttlMs: KEY_INFO_TTL_MS }, async ({ reader }, session) => ({
        ...(await reader.keyInfo(session)),
        readAt: now(),
      })),
    pools: createBybitPools((account, options, run) => {
      const { runtime } = reach('bybit');
      const session = runtime.freshSession(account, { priority: options.priority });
      return inTime('bybit', options, run(session).catch(asGatewayError));
    }),
    forget(accountKey) {
      const isOfAccount = (key: string) => key.startsWith(`${accountKey}\n`);
      answers.forget(isOfAccount);
      for (const { runtime } of runtimes.values()) runtime.forget(isOfAccount);
    },
    async close() {
      await Promise.all([...runtimes.values()].map(({ runtime }) => runtime.close()));
    },
    async usage() {
      const usage: GatewayUsage = {};
      for (const { exchange, runtime } of runtimes.values())
        usage[exchange] = addUsage(usage[exchange], runtime.usage());
      return usage;
    },
  };
}
