import { createHmac } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Statements } from '../../../db/statements.ts';

const HASHED = /^hmac:[\w-]{43}$/;

/**
 * A backup code as it is stored. Codes are read off paper: neither their dash nor their case counts, which leaves 51 bits
 * of 59.
 */
export function hashBackupCode(secret: string, code: string): string {
  const plain = code.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  return `hmac:${createHmac('sha256', secret).update(`backup code ${plain}`).digest('base64url')}`;
}

/**
 * How the library stores codes: hashed, and the list of hashes encrypted. It encrypts the rest of a list
 * after a use, so hashes stay as they are. Lists of an earlier version contain the codes themselves; both
 * kinds are compared alike.
 */
export function backupCodeStorage(secret: string) {
  const hashed = (list: string): string =>
    JSON.stringify(
      (JSON.parse(list) as string[]).map((code) => (HASHED.test(code) ? code : hashBackupCode(secret, code))),
    );
  return {
    encrypt: (list: string) => symmetricEncrypt({ key: secret, data: hashed(list) }),
    decrypt: async (sealed: string) => hashed(await symmetricDecrypt({ key: secret, data: sealed })),
  };
}

/** How many backup codes a user has left; null: no authenticator app, so none. */
export type CountBackupCodes = (userId: string) => Promise<number | null>;

export function createCountBackupCodes({
  statements,
  secret,
}: {
  statements: Statements;
  secret: string;
}): CountBackupCodes {
  return async (userId) => {
    const { rows } = await statements.query<{ backup_codes: string }>(
      'SELECT backup_codes FROM identity.two_factor WHERE user_id = $1 AND verified IS NOT FALSE',
      [userId],
    );
    const sealed = rows[0]?.backup_codes;
    if (sealed === undefined) return null;
    const codes: unknown = JSON.parse(await symmetricDecrypt({ key: secret, data: sealed }));
    return Array.isArray(codes) ? codes.length : 0;
  };
}
