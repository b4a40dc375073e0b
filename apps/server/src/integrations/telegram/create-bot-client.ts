import { Api, GrammyError, InputFile } from 'grammy';
import type { LanguageCode } from 'grammy/types';
import type { TelegramSettings } from './create-telegram.ts';
import { type BotClient, UpdatesError } from './gateway.ts';
import { markupOf } from './keyboard-markup.ts';
import { toTelegramError } from './telegram-errors.ts';

/** Kinds of updates that a bot handles; Telegram does not send others. */
const KINDS = ['message', 'callback_query'] as const;
const MOST_UPDATES = 100;

export type OpenBot = (token: string) => BotClient;

/**
 * Opens bots by their tokens (https://core.telegram.org/bots/api#getting-updates).
 * @param pollSeconds how long Telegram may wait for an update before it answers with none
 */
export function createOpenBot({
  apiUrl,
  timeoutMs,
  pollSeconds,
}: Omit<TelegramSettings, 'token'> & { pollSeconds: number }): OpenBot {
  return (token) => {
    const apiRoot = apiUrl.replace(/\/+$/, '');
    const timeoutSeconds = timeoutMs / 1000;
    const api = new Api(token, { apiRoot, timeoutSeconds, sensitiveLogs: false });
    const polling = new Api(token, {
      apiRoot,
      timeoutSeconds: pollSeconds + timeoutSeconds,
      sensitiveLogs: false,
    });
    const asking = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        throw toUpdatesError(error);
      }
    };
    const sending = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        throw toTelegramError(error, token);
      }
    };
    return {
      getUpdates: (offset, signal) =>
        asking(
          polling.getUpdates(
            {
              ...(offset === null ? {} : { offset }),
              limit: MOST_UPDATES,
              timeout: pollSeconds,
              allowed_updates: KINDS,
            },
            // grammY names the type of a package that predates the platform's own.
            signal as Parameters<typeof polling.getUpdates>[1],
          ),
        ),
      deleteWebhook: async () => void (await asking(api.deleteWebhook({ drop_pending_updates: false }))),
      async send({ chatId, text, keyboard, png }) {
        const how = { parse_mode: 'HTML' as const, ...markupOf(keyboard) };
        const work: Promise<{ message_id: number }> = png
          ? api.sendPhoto(chatId, new InputFile(png, 'address.png'), { caption: text, ...how })
          : api.sendMessage(chatId, text, { link_preview_options: { is_disabled: true }, ...how });
        const sent = await sending(work);
        return { messageId: sent.message_id };
      },
      async setCommands(commands, language) {
        const whose = language === null ? {} : { language_code: language as LanguageCode };
        await sending(api.setMyCommands([...commands], whose));
      },
      answerPress: async (id) => void (await sending(api.answerCallbackQuery(id))),
    };
  };
}

/** Nothing of grammY's error is kept: a failed request includes the address with the token. */
function toUpdatesError(error: unknown): UpdatesError {
  if (!(error instanceof GrammyError)) return new UpdatesError('unavailable');
  const { error_code: code, description = '', parameters } = error;
  if (code === 401 || code === 404) return new UpdatesError('refused');
  if (code === 409) return new UpdatesError(/webhook/i.test(description) ? 'webhook' : 'other_reader');
  return new UpdatesError('unavailable', code === 429 ? (parameters.retry_after ?? 5) * 1000 : null);
}
