import { Api } from 'grammy';
import { TelegramError, type TelegramGateway } from './gateway.ts';
import { markupOf } from './keyboard-markup.ts';
import { toTelegramError } from './telegram-errors.ts';

export interface TelegramSettings {
  /** The bot's token; unset: nothing can be sent. */
  token?: string;
  /** Address of the Bot API, without the path. */
  apiUrl: string;
  timeoutMs: number;
}

/** Opens the configured bot. Rate limits are the caller's task: it knows the queue. */
export function createTelegram({ token, apiUrl, timeoutMs }: TelegramSettings): TelegramGateway {
  if (token === undefined) return { send: refuse };
  const api = new Api(token, {
    apiRoot: apiUrl.replace(/\/+$/, ''),
    timeoutSeconds: timeoutMs / 1000,
    sensitiveLogs: false,
  });
  return {
    async send({ chatId, text, keyboard = null }) {
      try {
        const sent = await api.sendMessage(chatId, text, {
          parse_mode: 'HTML',
          // A name may look like an address, and its preview is unwanted.
          link_preview_options: { is_disabled: true },
          ...markupOf(keyboard),
        });
        return { messageId: sent.message_id };
      } catch (error) {
        throw toTelegramError(error, token);
      }
    },
  };
}

async function refuse(): Promise<never> {
  throw new TelegramError({ code: 'not_configured', isRetryable: false, retryAfterMs: null, detail: null });
}
