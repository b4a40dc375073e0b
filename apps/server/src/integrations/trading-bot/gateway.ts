export type TradingCommand = 'pause' | 'resume';

/** A command as it was stored before it was first sent. A repeat with the same values sends the same bytes. */
export interface TradingRequest {
  /** UUID: the bot obeys each id once. */
  requestId: string;
  poolId: string;
  command: TradingCommand;
  requestedAt: Date;
}

export const TRADING_STATES = ['trading', 'pausing', 'paused', 'resuming'] as const;

export interface TradingStatus {
  state: (typeof TRADING_STATES)[number];
  since: Date;
  /** The last command that the bot accepted for this pool; null: none yet. */
  requestId: string | null;
}

/** The bot that trades the pools' accounts. Wire: docs/trading-bot.md. */
export interface TradingBot {
  /**
   * Asks the bot to pause or resume a pool. It resolves when the bot has accepted the command, and never waits until it
   * is obeyed: the bot acknowledges that with a call of its own.
   * @throws TradingBotError and nothing else
   */
  command(request: TradingRequest): Promise<void>;
  /**
   * Reads the bot's view of a pool, for screens and lost acknowledgements.
   * @throws TradingBotError and nothing else
   */
  readStatus(poolId: string): Promise<TradingStatus>;
}

/**
 * `refused`: it does not accept our signature or our request. `superseded`: it has a newer command for the pool.
 */
export type TradingBotProblem =
  | 'not_configured'
  | 'refused'
  | 'unknown_pool'
  | 'superseded'
  | 'rate_limited'
  | 'timeout'
  | 'unavailable'
  | 'bad_response';

const UNCERTAIN: ReadonlySet<TradingBotProblem> = new Set(['timeout', 'unavailable', 'bad_response']);

/** Why a request to the bot failed, in our own words only. */
export class TradingBotError extends Error {
  readonly code: TradingBotProblem;
  /** The bot may have accepted the command: repeat it with the same id, or read the status. */
  readonly isUncertain: boolean;
  /** The same request may succeed later. */
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | null;

  constructor(code: TradingBotProblem, retryAfterMs: number | null = null) {
    super(code);
    this.name = 'TradingBotError';
    this.code = code;
    this.isUncertain = UNCERTAIN.has(code);
    this.isRetryable = this.isUncertain || code === 'rate_limited';
    this.retryAfterMs = retryAfterMs;
  }
}
