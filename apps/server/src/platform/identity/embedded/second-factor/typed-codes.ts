import { createOTP } from '@better-auth/utils/otp';
import { symmetricDecrypt } from 'better-auth/crypto';
import { refusals } from '../auth-refusals.ts';
import type { HookDeps } from '../hook-context.ts';
import { hashBackupCode } from './backup-codes.ts';

/**
 * A body with its code in the compared form: digits without the separators that people and mails add, a
 * backup code hashed like the stored ones.
 */
export function withComparedCode(
  { secret }: Pick<HookDeps, 'secret'>,
  path: string,
  body: Record<string, unknown>,
): Record<string, unknown> {
  if (typeof body.code !== 'string') return body;
  if (path === '/two-factor/verify-backup-code') return { ...body, code: hashBackupCode(secret, body.code) };
  if (path === '/two-factor/verify-totp') return { ...body, code: body.code.replace(/[\s-]/g, '') };
  return body;
}

/**
 * A page that sets up an app identifies its set-up by the beginning of the secret: another tab may have begun
 * a set-up meanwhile, whose backup codes this page never showed.
 * @throws a refusal
 */
export async function requireSameSetUp(
  { statements, secret }: HookDeps,
  { setUp, userId }: { setUp: unknown; userId: string },
): Promise<void> {
  if (setUp === undefined) return;
  const { rows } = await statements.query<{ secret: string }>(
    'SELECT secret FROM identity.two_factor WHERE user_id = $1 AND verified IS FALSE',
    [userId],
  );
  const sealed = rows[0]?.secret;
  const current = sealed && createOTP(await symmetricDecrypt({ key: secret, data: sealed })).url('', '');
  const shown = current && new URL(current).searchParams.get('secret');
  if (!shown || typeof setUp !== 'string' || setUp.length < 8 || !shown.startsWith(setUp))
    throw refusals.setUpReplaced();
}
