import { sql } from 'kysely';
import type { Keyring } from '../../../../platform/secrets/keyring.ts';
import { type SealedSecret, sealSecret } from '../../../../platform/secrets/sealed-secret.ts';
import { sealedTable } from '../../../../platform/secrets/sealed-table.ts';
import { openStored } from '../../../../platform/secrets/stored-secret.ts';

export interface StoredBotToken extends SealedSecret {
  botId: string;
  version: number;
}

const VERSION = 1;

export function sealBotToken(keyring: Keyring, botId: string, token: string): StoredBotToken {
  const place = { botId, version: VERSION };
  return { ...place, ...sealSecret(token, placeName(place), keyring.current) };
}

/** @throws SealError when the bytes were changed or moved, or their master key is not configured */
export const openBotToken = (keyring: Keyring, stored: StoredBotToken): string =>
  openStored(keyring, stored, placeName(stored));

const placeName = ({ botId, version }: Pick<StoredBotToken, 'botId' | 'version'>) =>
  `exchange_bot_token|${botId}|token|${version}`;

/** The tokens of communities' bots, for the rotation of the master key. */
export const SEALED_BOT_TOKENS = sealedTable<Pick<StoredBotToken, 'botId' | 'version'>>({
  table: 'exchange_bot_token',
  key: ['bot_id'],
  reads: sql`bot_id AS "botId", version`,
  place: placeName,
});
