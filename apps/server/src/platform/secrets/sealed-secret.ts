import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A key that wraps the keys of secrets. Its id identifies it in stored rows and reveals nothing of the key. */
export interface MasterKey {
  id: string;
  /** A KeyObject: Node converts bytes at each use, which takes longer than encrypting a secret. */
  key: KeyObject;
}

/** The stored form of a secret: the value under a key of its own, and that key under a master key. */
export interface SealedSecret {
  ciphertext: Buffer;
  wrappedKey: Buffer;
  masterKeyId: string;
}

/** The stored bytes belong to another place, were changed, or are wrapped with another master key. */
export class SealError extends Error {
  constructor() {
    super('A stored secret could not be opened.');
    this.name = 'SealError';
  }
}

/**
 * Encrypts a secret for one place.
 * @param place names table, row, field, provider and version: the same bytes elsewhere do not open
 */
export function sealSecret(value: string, place: string, master: MasterKey): SealedSecret {
  const key = randomBytes(KEY_BYTES);
  return {
    ciphertext: encrypt(Buffer.from(value), createSecretKey(key), place),
    wrappedKey: encrypt(key, master.key, wrapping(place)),
    masterKeyId: master.id,
  };
}

/** @throws SealError */
export function openSecret(sealed: SealedSecret, place: string, master: MasterKey): string {
  const key = decrypt(sealed.wrappedKey, master.key, wrapping(place));
  return decrypt(sealed.ciphertext, createSecretKey(key), place).toString();
}

/** Wraps the same secret with another master key without opening it. @throws SealError */
export function rewrapSecret(
  sealed: SealedSecret,
  place: string,
  from: MasterKey,
  to: MasterKey,
): SealedSecret {
  const key = decrypt(sealed.wrappedKey, from.key, wrapping(place));
  return { ...sealed, wrappedKey: encrypt(key, to.key, wrapping(place)), masterKeyId: to.id };
}

const wrapping = (place: string) => `key of ${place}`;

function encrypt(plain: Buffer, key: KeyObject, place: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function decrypt(stored: Buffer, key: KeyObject, place: string): Buffer {
  try {
    const iv = stored.subarray(0, IV_BYTES);
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(stored.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(stored.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SealError(); // the cause adds nothing useful, and might reveal too much
  }
}
