import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { verifyPassword } from 'better-auth/crypto';
import pLimit from 'p-limit';

/** One of the settings that OWASP's cheat sheet on storing passwords has for scrypt: 32 MB, three passes. */
const PARAMETERS = { N: 2 ** 15, r: 8, p: 3 };
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const LENGTH_BYTES = 64;
const KIND = `scrypt-${Math.log2(PARAMETERS.N)}-${PARAMETERS.r}-${PARAMETERS.p}`;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** A burst of sign-ins must neither fill the memory nor take every thread. */
const inTurn = pLimit(2);

export interface PasswordHashes {
  hash(password: string): Promise<string>;
  verify(attempt: { hash: string; password: string }): Promise<boolean>;
  /** Whether a hash is of an earlier kind, to be replaced when its password is known. */
  isOutdated(hash: string): boolean;
}

/** Hashes of ours, and those of the library from before. Two at once. */
export const passwordHashes: PasswordHashes = {
  hash: (password) =>
    inTurn(async () => {
      const salt = randomBytes(16);
      return [KIND, salt.toString('base64url'), (await keyOf(password, salt)).toString('base64url')].join(
        ':',
      );
    }),
  verify: ({ hash, password }) =>
    inTurn(async () => {
      const [kind, salt = '', key = ''] = hash.split(':');
      if (kind !== KIND) return verifyPassword({ hash, password });
      const [given, stored] = [
        await keyOf(password, Buffer.from(salt, 'base64url')),
        Buffer.from(key, 'base64url'),
      ];
      return stored.length === given.length && timingSafeEqual(given, stored);
    }),
  isOutdated: (hash) => !hash.startsWith(`${KIND}:`),
};

/** The library's form of a password: one letter has several encodings (NFKC). */
const keyOf = (password: string, salt: Buffer) =>
  derive(password.normalize('NFKC'), salt, LENGTH_BYTES, { ...PARAMETERS, maxmem: MAX_MEMORY_BYTES });
