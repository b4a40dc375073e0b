import { symmetricDecrypt } from 'better-auth/crypto';
import type { Statements } from '../../db/statements.ts';

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
