import type { Exchange } from '@copydesk/domain/catalogue';
import type { AccountType, ExchangeCredentials, ExchangeProblem } from '@copydesk/domain/trading';

/** A decimal number as plain text, never with an exponent: `-12.5`, `0.00001`. */
export type DecimalText = string;

/** One account to read. */
export interface ExchangeAccount {
  /** Identifies reads of the same account: caches, single flight, its own budget. */
  key: string;
  /**
   * They sign requests. Hyperliquid reads are not signed: they need only the master address. The agent's key is only
   * compared with its address and never passed to ccxt, which would post signed messages with it.
   */
  credentials: ExchangeCredentials;
  /** The venue's regional platform that knows the key, as `verify` found it; null or left out: its main one. */
  region?: string | null;
}

/** An interactive read goes before every waiting background read. */
export type Priority = 'interactive' | 'background';

export interface ReadOptions {
  priority: Priority;
  /** Largest acceptable age of a cached answer, in ms; 0 reads again (but joins a read under way). */
  maxAgeMs?: number;
}

export interface Equity {
  /** The account's total equity by the venue's own rules, in USD. */
  equityUsd: DecimalText;
  /** Time of the reading, in ms. */
  readAt: number;
}

export interface OpenPosition {
  /** Base and quote, as in BTCUSDT, the same on all venues. */
  symbol: string;
  /** The venue's own spelling, as in BTC-USDT-SWAP. */
  venueSymbol: string;
  side: 'long' | 'short';
  /** Size in units of the base asset. */
  contracts: DecimalText;
  entryPrice: DecimalText;
  markPrice: DecimalText | null;
  leverage: DecimalText | null;
  /** The venue's own figure; the console shows an estimate of its own. */
  liquidationPrice: DecimalText | null;
  /** USD; null where its currency or the conversion price is unknown. */
  unrealizedPnl: DecimalText | null;
  openedAt: number | null;
}

export interface OpenPositions {
  positions: OpenPosition[];
  readAt: number;
}

export interface ClosedPosition {
  /**
   * The venue's own id of it, composed so that it never changes and is unique within an account: bybit
   * `orderId:updatedTime`, okx `posId:uTime`, kucoin `closeId`, binance `symbol:orderId:time` (fills of one order at
   * one ms are one row), hyperliquid `tid`.
   */
  venueId: string;
  symbol: string;
  side: 'long' | 'short';
  /** Null where the venue does not say and it cannot be derived. */
  entryPrice: DecimalText | null;
  exitPrice: DecimalText | null;
  leverage: DecimalText | null;
  /** Size in units of the base asset. */
  contracts: DecimalText | null;
  /**
   * USD. Profit in the coin is valued at the position's own exit price. Null where its currency or that price is
   * unknown: it is never a number in another unit.
   */
  closedPnl: DecimalText | null;
  /** Whether closedPnl is already net of trading fees. */
  feesIncluded: boolean;
  openedAt: number | null;
  closedAt: number;
}

export interface ClosedPositionsPage {
  items: ClosedPosition[];
  /** Pass it with the same range to continue; null: the range is read to its end. */
  nextCursor: string | null;
  /** The venue has no records before this, in ms. */
  coverageFrom: number;
  /** The venue's list broke off: rows may be missing anywhere in the range. */
  endedEarly?: true;
}

export interface KeyInfo {
  /** False where the venue has no keys to check (hyperliquid). */
  isSupported: boolean;
  /** Null: the venue does not say. */
  isRestricted: boolean | null;
  /** The allowed addresses; null where the venue does not reveal the list (binance) or there is none. */
  ips: string[] | null;
  accountType: AccountType | null;
  /** When the venue ends the key, in ms. Null: never; left out: the venue does not say. */
  expiresAt?: number | null;
  readAt: number;
}

export interface VerifiedAccount {
  /** The venue's id of the account; for hyperliquid its master address in lower case. */
  accUid: string;
  accountType: AccountType | null;
  /** Whether the key may move money out of the account; null: the venue does not say. */
  mayWithdraw: boolean | null;
  /** See `KeyInfo`. */
  keyExpiresAt?: number | null;
  /** The venue's regional platform that knows the key; null: its main one. To be stored with the account. */
  region: string | null;
  equityUsd: DecimalText;
}

/**
 * Our reads from the exchanges. Every method throws a GatewayError and nothing else. Concurrent reads of one account
 * and method are one read; answers are cached (equity and positions 30 s, key info 5 min).
 */
export interface ExchangeGateway {
  /** Proves the credentials by a read of the key, then of the equity. Never cached. */
  verify(credentials: ExchangeCredentials, options: ReadOptions): Promise<VerifiedAccount>;
  equity(account: ExchangeAccount, options: ReadOptions): Promise<Equity>;
  openPositions(account: ExchangeAccount, options: ReadOptions): Promise<OpenPositions>;
  /**
   * Positions closed in a range of time, in the venue's pages, in no guaranteed order. The range may be longer than the
   * venue's window: the cursor walks through it.
   */
  closedPositions(
    account: ExchangeAccount,
    range: { sinceMs: number; untilMs: number; cursor?: string },
    options: ReadOptions,
  ): Promise<ClosedPositionsPage>;
  keyInfo(account: ExchangeAccount, options: ReadOptions): Promise<KeyInfo>;
  /** Drops the cached answers of an account: its credentials changed or it was removed. */
  forget(accountKey: string): void;
  close(): Promise<void>;
}

/** Connection settings of one venue. */
export interface VenueSettings {
  /** Replaces scheme, host and port of every address of the venue; undefined: the real venue. */
  baseUrl?: string;
  /**
   * The same for its regional platforms, by their names. Where `baseUrl` is set, only those named here are tried for a
   * key, and an account of another one is read at `baseUrl`.
   */
  regionUrls?: Readonly<Record<string, string>>;
  /** For one request, in ms. */
  timeoutMs: number;
  /**
   * How long one interactive read may take in all, in ms: its wait for our limits, every request and repeats. After
   * that it fails as `timeout`. Without it only single requests are limited.
   */
  deadlineMs?: number;
  /** HTTP proxy for every request to the venue. */
  proxyUrl?: string;
  /** Share of the venue's documented limit that this process may use, from 0 to 1. */
  budgetShare: number;
  /**
   * Share of the documented limit of a single account, from 0 to 1; budgetShare when left out. It may be larger: two
   * processes seldom read one account in the same seconds, and a person waits for the few calls of a screen.
   */
  accountShare?: number;
  /**
   * Part of the venue's budget that may be spent at once; the venue's own when left out. A smaller part leaves a faster
   * flow.
   */
  burst?: number;
}

export type GatewaySettings = Record<Exchange, VenueSettings>;

/** Why a read failed, in our own words only. */
export class GatewayError extends Error {
  readonly code: ExchangeProblem;
  /** The venue's code, as in 10010; digits and letters only, never its text. */
  readonly venueCode: string | null;
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | null;

  constructor(
    code: ExchangeProblem,
    details: { venueCode?: string | null; retryAfterMs?: number | null } = {},
  ) {
    super(code);
    this.name = 'GatewayError';
    this.code = code;
    this.venueCode = details.venueCode ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.isRetryable = RETRYABLE.has(code);
  }
}

const RETRYABLE: ReadonlySet<ExchangeProblem> = new Set([
  'clock_skew',
  'rate_limited',
  'venue_unavailable',
  'timeout',
  'bad_response',
]);
