import type { Keyring } from './keyring.ts';
import { openSecret, rewrapSecret, SealError, type SealedSecret } from './sealed-secret.ts';

/** @throws SealError when the bytes were changed or moved, or their master key is not configured */
export const openStored = (keyring: Keyring, stored: SealedSecret, place: string): string =>
  openSecret(stored, place, masterOf(keyring, stored));

/** Wraps a secret with the current master key, without opening it. @throws SealError */
export const rewrapStored = (keyring: Keyring, stored: SealedSecret, place: string): SealedSecret =>
  rewrapSecret(stored, place, masterOf(keyring, stored), keyring.current);

function masterOf(keyring: Keyring, { masterKeyId }: SealedSecret) {
  const master = keyring.find(masterKeyId);
  if (!master) throw new SealError();
  return master;
}
