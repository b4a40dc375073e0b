import { GrammyError, HttpError } from 'grammy';
import { TelegramError, type TelegramFailure } from './gateway.ts';

/** Telegram reports how long to wait; a server in between that answers 429 may not. */
const USUAL_RETRY_AFTER_S = 5;
const DETAIL_LENGTH = 300;

/** The Bot API has no codes besides HTTP's: the description has the meaning. */
const UNKNOWN_CHAT = /chat not found|chat_id|user not found|PEER_ID_INVALID|can't initiate conversation/i;

type Code = TelegramFailure['code'];

function codeOf(errorCode: number, description: string): Code {
  if (errorCode === 429) return 'rate_limited';
  if ((errorCode === 400 || errorCode === 403) && UNKNOWN_CHAT.test(description)) return 'chat_not_found';
  if (errorCode === 403) return 'blocked';
  return errorCode >= 400 && errorCode < 500 ? 'refused' : 'unavailable';
}

/**
 * Converts an error of grammY into our words. Nothing of its errors is kept: a failed request includes the address with
 * the token, and its payload the text.
 */
export function toTelegramError(error: unknown, token: string): TelegramError {
  if (!(error instanceof GrammyError)) return failure('unavailable', reasonOf(error));
  const description = error.description ?? 'an answer that is none of the Bot API';
  const code = codeOf(error.error_code, description);
  const detail = `${error.error_code ?? ''} ${description}`.trim().replaceAll(token, '[token]');
  const retryAfterMs =
    code === 'rate_limited' ? (error.parameters.retry_after ?? USUAL_RETRY_AFTER_S) * 1000 : null;
  return failure(code, detail.slice(0, DETAIL_LENGTH), retryAfterMs);
}

function failure(code: Code, detail: string, retryAfterMs: number | null = null): TelegramError {
  return new TelegramError({
    code,
    isRetryable: code === 'rate_limited' || code === 'unavailable',
    retryAfterMs,
    detail,
  });
}

/** At most the system's code; its message contains the address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof HttpError ? error.error : error;
  const { code, type, message } = (cause ?? {}) as { code?: unknown; type?: unknown; message?: unknown };
  if (typeof code === 'string' && /^\w+$/.test(code)) return code;
  if (type === 'invalid-json') return 'an answer that is no JSON';
  return /timed out|aborted/.test(String(message)) ? 'no answer in time' : 'no answer';
}
