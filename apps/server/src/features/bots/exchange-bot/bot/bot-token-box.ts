import type { Keyring } from '../../../../platform/secrets/keyring.ts';
import { type SealedSecret, sealSecret } from '../../../../platform/secrets/sealed-secret.ts';
import { openStored, rewrapStored } from '../../../../platform/secrets/stored-secret.ts';

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

/** @throws SealError when the master key of the row is not configured */
export const rewrapBotToken = (keyring: Keyring, stored: StoredBotToken): SealedSecret =>
  rewrapStored(keyring, stored, placeName(stored));

const placeName = ({ botId, version }: Pick<StoredBotToken, 'botId' | 'version'>) =>
  `exchange_bot_token|${botId}|token|${version}`;
