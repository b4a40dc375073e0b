import type { Language } from '@copydesk/domain/catalogue';
import { LANGUAGES } from '@copydesk/domain/catalogue';
import type { BotTextKey } from '@copydesk/domain/exchange-bot';
import { sql } from 'kysely';
import type { BotClient } from '../../../../integrations/telegram/gateway.ts';
import { type Database, WHOLE_SCOPE } from '../../../../platform/db/database.ts';
import { DEFAULT_BOT_TEXTS } from '../texts/defaults/defaults.ts';
import type { BotLease } from './advance-update.store.ts';
import { BOT_ACTOR } from './bot-actor.ts';

/** The commands of a bot, and the buttons whose labels describe them. Each does what its button does. */
const BOT_COMMANDS = {
  start: 'button_menu',
  prices: 'button_prices',
  access: 'button_access',
  questions: 'button_questions',
  language: 'button_language',
} as const satisfies Record<string, BotTextKey>;

const NAMES = Object.keys(BOT_COMMANDS) as (keyof typeof BOT_COMMANDS)[];

/**
 * Gives Telegram the menu of commands: in each language, and in the bot's own for everyone else. The version
 * is read before the texts, so a change meanwhile leaves the menu due.
 * @throws TelegramError
 */
export async function setCommands(
  { db, client }: { db: Database; client: BotClient },
  { botId, workerId, leaseNumber }: BotLease,
): Promise<void> {
  const bot = await db.read(WHOLE_SCOPE, async (tx) => {
    const { rows } = await sql<{ wanted: string; language: Language }>`
      SELECT r.commands_wanted::text AS wanted, b.language
      FROM exchange_bot_reading r JOIN exchange_bot b ON b.id = r.bot_id WHERE r.bot_id = ${botId}`.execute(
      tx.sql,
    );
    return rows[0];
  });
  if (!bot) return;
  const commandsIn = (language: Language) =>
    NAMES.map((command) => {
      const key = BOT_COMMANDS[command];
      return { command, description: DEFAULT_BOT_TEXTS[language][key] };
    });
  await client.setCommands(commandsIn(bot.language), null);
  for (const language of LANGUAGES) await client.setCommands(commandsIn(language), language);
  await db.write(WHOLE_SCOPE, BOT_ACTOR, (tx) =>
    sql`UPDATE exchange_bot_reading SET commands_set = ${bot.wanted}
      WHERE bot_id = ${botId} AND answered_by = ${workerId} AND lease_number = ${leaseNumber}`.execute(
      tx.sql,
    ),
  );
}
