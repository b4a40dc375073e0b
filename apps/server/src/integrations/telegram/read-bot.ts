import { Api } from 'grammy';
import type { TelegramSettings } from './create-telegram.ts';
import { toTelegramError } from './telegram-errors.ts';

/** A bot as Telegram knows it. */
export interface BotProfile {
  /** Digits. */
  id: string;
  /** Without @. */
  username: string;
  name: string;
}

/** Reads the bot of a token (https://core.telegram.org/bots/api#getme). @throws TelegramError and nothing else */
export type ReadBot = (token: string) => Promise<BotProfile>;

export function createReadBot({ apiUrl, timeoutMs }: Omit<TelegramSettings, 'token'>): ReadBot {
  return async (token) => {
    const api = new Api(token, {
      apiRoot: apiUrl.replace(/\/+$/, ''),
      timeoutSeconds: timeoutMs / 1000,
      sensitiveLogs: false,
    });
    try {
      const { id, username, first_name: name } = await api.getMe();
      return { id: String(id), username, name };
    } catch (error) {
      throw toTelegramError(error, token);
    }
  };
}
