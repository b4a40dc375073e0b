import { TelegramError } from '../../../integrations/telegram/gateway.ts';
import type { BotProfile, ReadBot } from '../../../integrations/telegram/read-bot.ts';
import { Refusal } from '../../../platform/refusal.ts';

/** Asks Telegram for the bot of a token, within a call. @throws Refusal `bot_refused`, `telegram_unavailable` */
export async function readProfile(readBot: ReadBot, token: string): Promise<BotProfile> {
  try {
    return await readBot(token);
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    throw new Refusal(error.isRetryable ? 'telegram_unavailable' : 'bot_refused');
  }
}
