import { z } from 'zod';
import { signTimestampedHmac } from '../../platform/http/webhooks/timestamped-hmac.ts';
import {
  TRADING_STATES,
  type TradingBot,
  TradingBotError,
  type TradingBotProblem,
  type TradingRequest,
  type TradingStatus,
} from './gateway.ts';
import { type PostedAnswer, postJson } from './post-json.ts';

export interface TradingBotSettings {
  /** Receives every request; unset: there is no bot. */
  url?: string;
  /** Signs requests; shared with the bot. */
  secret?: string;
  /** For a request from its start to the last byte of the answer. */
  timeoutMs: number;
}

const SIGNATURE_HEADER = 'copydesk-signature';

const accepted = z.object({ request_id: z.string() });
const status = z.object({
  state: z.enum(TRADING_STATES),
  since: z.iso.datetime({ offset: true }),
  request_id: z.string().nullable(),
});

const PROBLEMS: Record<number, TradingBotProblem> = {
  404: 'unknown_pool',
  408: 'unavailable',
  409: 'superseded',
  429: 'rate_limited',
};
const LONGEST_RETRY_AFTER_S = 3_600;

function problemOf(code: number): TradingBotProblem {
  const known = PROBLEMS[code];
  if (known) return known;
  if (code >= 500) return 'unavailable';
  return code >= 400 ? 'refused' : 'bad_response';
}

function retryAfterMs({ retryAfter }: PostedAnswer): number | null {
  if (retryAfter === null || !/^\d{1,9}$/.test(retryAfter)) return null;
  return Math.min(Number(retryAfter), LONGEST_RETRY_AFTER_S) * 1_000;
}

/**
 * The bot behind an address. Nothing is repeated here: the caller stores a command, then sends it as often as it needs
 * to, with the same id and therefore the same bytes.
 */
export function createTradingBot(
  { url, secret, timeoutMs }: TradingBotSettings,
  { now }: { now: () => Date },
): TradingBot {
  if (url === undefined || secret === undefined) return { command: refuse, readStatus: refuse };

  async function ask<S extends z.ZodType>(body: object, wanted: number, shape: S): Promise<z.output<S>> {
    const text = JSON.stringify(body);
    const answer = await postJson(url as string, {
      text,
      headers: {
        [SIGNATURE_HEADER]: signTimestampedHmac({ secret: secret as string, at: now(), body: text }),
      },
      timeoutMs,
    });
    if (answer.status !== wanted) throw new TradingBotError(problemOf(answer.status), retryAfterMs(answer));
    const read = shape.safeParse(answer.body);
    if (!read.success) throw new TradingBotError('bad_response');
    return read.data;
  }

  return {
    async command({ requestId, poolId, command, requestedAt }: TradingRequest): Promise<void> {
      const body = {
        type: command,
        request_id: requestId,
        pool_id: poolId,
        requested_at: requestedAt.toISOString(),
      };
      const answer = await ask(body, 202, accepted);
      if (answer.request_id !== requestId) throw new TradingBotError('bad_response');
    },
    async readStatus(poolId: string): Promise<TradingStatus> {
      const read = await ask({ type: 'status', pool_id: poolId }, 200, status);
      return { state: read.state, since: new Date(read.since), requestId: read.request_id };
    },
  };
}

async function refuse(): Promise<never> {
  throw new TradingBotError('not_configured');
}
