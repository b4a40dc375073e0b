import type { AccountType, Exchange, ExchangeProblem } from '@copydesk/domain';

/** A decimal number as plain text, never with an exponent: `-12.5`, `0.00001`. */
export type DecimalText = string;

/**
 * What signs a request. Hyperliquid reads are not signed: they need the master address alone. The agent's key is
 * only compared with its address and never handed to ccxt, which would post signed messages with it.
 */
export type ExchangeCredentials =
  | { exchange: 'bybit' | 'binance'; apiKey: string; secretKey: string }
  | { exchange: 'okx' | 'kucoin'; apiKey: string; secretKey: string; passphrase: string }
  | {
      exchange: 'hyperliquid';
      masterAddress: string;
      agentAddress: string;
      agentPrivateKey: string;
    };

/** One account to read. */
export interface ExchangeAccount {
  /** What reads of the same account are recognised by: caches, single flight, its own budget. */
  key: string;
  credentials: ExchangeCredentials;
}

/** An interactive read goes before every background read that still waits. */
export type Priority = 'interactive' | 'background';

export interface ReadOptions {
  priority: Priority;
  /** Oldest answer from the cache that will do, in ms; 0 reads anew (but joins a read under way). */
  maxAgeMs?: number;
}

export interface Equity {
  /** All that the venue counts into the account, in USD. */
  equityUsd: DecimalText;
  /** When it was read, in ms. */
  readAt: number;
}

export interface OpenPosition {
  /** Base and quote, as in BTCUSDT, the same on all venues. */
  symbol: string;
  /** As the venue writes it, as in BTC-USDT-SWAP. */
  venueSymbol: string;
  side: 'long' | 'short';
  /** Size in units of the base asset. */
  contracts: DecimalText;
  entryPrice: DecimalText;
  markPrice: DecimalText | null;
  leverage: DecimalText | null;
  /** The venue's own figure; the console shows an estimate of its own. */
  liquidationPrice: DecimalText | null;
  /** USD; null where its currency or the price to convert it at is not known. */
  unrealizedPnl: DecimalText | null;
  openedAt: number | null;
}

export interface OpenPositions {
  positions: OpenPosition[];
  readAt: number;
}

export interface ClosedPosition {
  /**
   * The venue's own name for it, made so that it never changes and never comes twice for one account:
   * bybit `orderId:updatedTime`, okx `posId:uTime`, kucoin `closeId`, binance `symbol:orderId:time` (fills of one
   * order at one ms are one row), hyperliquid `tid`.
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
   * USD. Profit in the coin is worth the position's own exit price. Null where its currency or that price is not
   * known: it is never a number in another unit.
   */
  closedPnl: DecimalText | null;
  /** Whether trading fees are taken off closedPnl already. */
  feesIncluded: boolean;
  openedAt: number | null;
  closedAt: number;
}

export interface ClosedPositionsPage {
  items: ClosedPosition[];
  /** Give it back with the same range to go on; null: the range is read to its end. */
  nextCursor: string | null;
  /** The venue remembers nothing before this, in ms. */
  coverageFrom: number;
}

export interface KeyInfo {
  /** False where the venue has no keys to ask about (hyperliquid). */
  isSupported: boolean;
  /** Null: the venue does not say. */
  isRestricted: boolean | null;
  /** The allowed addresses; null where the venue keeps the list to itself (binance) or there is none. */
  ips: string[] | null;
  accountType: AccountType | null;
  readAt: number;
}

export interface VerifiedAccount {
  /** What the venue calls the account; for hyperliquid its master address in lower case. */
  accUid: string;
  accountType: AccountType | null;
  /** Whether the key may move money out of the account; null: the venue does not say. */
  mayWithdraw: boolean | null;
  equityUsd: DecimalText;
}

/**
 * What we read from the exchanges. Every method throws a GatewayError and nothing else. Reads of one account and
 * method at the same time are one read; answers are kept for a while (equity and positions 30 s, key info 5 min).
 */
export interface ExchangeGateway {
  /** Proves the credentials by asking about the key, then about the equity. Never cached. */
  verify(credentials: ExchangeCredentials, options: ReadOptions): Promise<VerifiedAccount>;
  equity(account: ExchangeAccount, options: ReadOptions): Promise<Equity>;
  openPositions(account: ExchangeAccount, options: ReadOptions): Promise<OpenPositions>;
  /**
   * Positions that were closed in a range of time, in pages of the venue's making, in no promised order. The range
   * may be longer than the venue's window: the cursor walks through it.
   */
  closedPositions(
    account: ExchangeAccount,
    range: { sinceMs: number; untilMs: number; cursor?: string },
    options: ReadOptions,
  ): Promise<ClosedPositionsPage>;
  keyInfo(account: ExchangeAccount, options: ReadOptions): Promise<KeyInfo>;
  /** Forgets what is cached of an account: its credentials changed or it is gone. */
  forget(accountKey: string): void;
  close(): Promise<void>;
}

/** How one venue is reached. */
export interface VenueSettings {
  /** Replaces scheme, host and port of every address of the venue; undefined: the real venue. */
  baseUrl?: string;
  /** Of one request, in ms. */
  timeoutMs: number;
  /**
   * How long one interactive read may take in all, in ms: its wait for our limits, every request and what is sent once
   * more. After that it fails as `timeout`. Without it only single requests are limited.
   */
  deadlineMs?: number;
  /** HTTP proxy for every request to the venue. */
  proxyUrl?: string;
  /** Share of the venue's documented limit that this process may use, from 0 to 1. */
  budgetShare: number;
  /**
   * Share of the documented limit of a single account, from 0 to 1. It may be larger: two processes seldom read one
   * account in the same seconds, and a person waits for the few calls that its screen needs. budgetShare when left out.
   */
  accountShare?: number;
  /** Part of the venue's budget that may be spent at once; the venue's own when left out. Less of it flows faster. */
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
