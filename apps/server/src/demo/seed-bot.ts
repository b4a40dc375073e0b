import { readFile } from 'node:fs/promises';
import { demoBotToken } from '@copydesk/simulators/world';
import type pg from 'pg';
import { sealBotToken } from '../features/bots/exchange-bot/bot/bot-token-box.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';

const TELEGRAM_ID = 2_000_100;

/**
 * Seeds the bot of one community, with what it offers.
 * @param client within the transaction of the seed
 * @param keyring seals its token; without it the bot cannot be checked
 */
export async function seedBot(client: pg.Client, keyring: Keyring | undefined): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    await readFile(new URL('./seed-bot.sql', import.meta.url), 'utf8'),
    [TELEGRAM_ID],
  );
  const [bot] = rows;
  if (!bot || !keyring) return;
  const { version, ciphertext, wrappedKey, masterKeyId } = sealBotToken(
    keyring,
    bot.id,
    demoBotToken(TELEGRAM_ID),
  );
  await client.query(
    `INSERT INTO exchange_bot_token (bot_id, version, ciphertext, wrapped_key, master_key_id)
     VALUES ($1, $2, $3, $4, $5)`,
    [bot.id, version, ciphertext, wrappedKey, masterKeyId],
  );
}
