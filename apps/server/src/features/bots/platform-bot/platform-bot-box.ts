import type { Keyring } from '../../../platform/secrets/keyring.ts';
import type { SealedTable } from '../../../platform/secrets/rotate-master-key.ts';
import { type SealedSecret, sealSecret } from '../../../platform/secrets/sealed-secret.ts';
import { openStored, rewrapStored } from '../../../platform/secrets/stored-secret.ts';
import {
  countByMasterKey,
  lockSealedUnderOtherKey,
  type StoredToken,
  saveWrapping,
} from './platform-bot.store.ts';

const placeName = (version: number) => `platform_bot|token|${version}`;

export const sealPlatformToken = (keyring: Keyring, version: number, token: string): SealedSecret =>
  sealSecret(token, placeName(version), keyring.current);

/** @throws SealError when the bytes were changed or moved, or their master key is not configured */
export const openPlatformToken = (keyring: Keyring, { version, sealed }: StoredToken): string =>
  openStored(keyring, sealed, placeName(version));

/** The token of the platform's bot, for the rotation of the master key. */
export const SEALED_PLATFORM_BOT: SealedTable = {
  countByMasterKey,
  async rewrapSome(tx, keyring) {
    const stored = await lockSealedUnderOtherKey(tx, keyring.current.id);
    if (!stored) return 0;
    await saveWrapping(tx, rewrapStored(keyring, stored.sealed, placeName(stored.version)));
    return 1;
  },
};
