import { createHash } from 'node:crypto';
import type { Statements } from '../../../db/statements.ts';
import type { Logger } from '../../../observe/log.ts';
import type { Mailer } from '../../../work/mail/mailer.ts';
import { signInLink } from '../../sign-in-link.ts';

/** Mails to one person, from however many networks they are asked for. */
const MAILS = 5;
const WINDOW_S = 15 * 60;

export interface ResetMailDeps {
  statements: Statements;
  mailer: Mailer | null;
  log: Logger;
  /** Origin of the console. */
  origin: string;
  now: () => Date;
}

/**
 * Sends the link to choose a new password. The answer does not wait for it: it takes equally long for an
 * address without a user, and is the same after the limit of mails. The link is never logged; without SMTP
 * the operator makes one with `npm run admin -- reset`.
 */
export function createResetMail({ statements, mailer, log, origin, now }: ResetMailDeps) {
  return async ({ user, token }: { user: { id: string; email: string }; token: string }): Promise<void> => {
    const send = async () => {
      if (!(await mayReset(statements, user.id))) return;
      if (!mailer) {
        log.warn({ userId: user.id }, 'a password reset was asked for, but SMTP_URL is not set');
        return;
      }
      if (!(await countMail(statements, user.id, now()))) {
        log.warn({ userId: user.id }, 'no further password reset was mailed: the person got enough of them');
        return;
      }
      await mailer.send({
        kind: 'password_reset',
        to: user.email,
        subject: 'Choose a new Copydesk password',
        text: `Someone, most likely you, requested a new password at ${origin}.\n\nChoose it here within the hour:\n${signInLink(origin, 'reset', token)}\n\nIf it was not you, ignore this message: nothing has changed.\n`,
      });
    };
    send().catch((error) => log.error({ err: error, userId: user.id }, 'password reset mail failed'));
  };
}

/** Counts a mail to a person. @returns false when there were enough lately */
async function countMail(statements: Statements, userId: string, at: Date): Promise<boolean> {
  const key = createHash('sha256').update(`reset mails to ${userId}`).digest();
  const { rowCount } = await statements.query(
    `INSERT INTO identity.sign_in_failure AS f (key_hash, failures, forget_at)
     VALUES ($1, 1, $2::timestamptz + make_interval(secs => $3))
     ON CONFLICT (key_hash) DO UPDATE SET
       failures = CASE WHEN f.forget_at <= $2 THEN 1 ELSE f.failures + 1 END,
       forget_at = CASE WHEN f.forget_at <= $2 THEN $2::timestamptz + make_interval(secs => $3) ELSE f.forget_at END
     WHERE f.forget_at <= $2 OR f.failures < $4`,
    [key, at, WINDOW_S, MAILS],
  );
  return rowCount === 1;
}

/** Disabled users stay out, and a reset does not prolong an expired invitation. */
async function mayReset(statements: Statements, userId: string): Promise<boolean> {
  const { rows } = await statements.query<{ may: boolean }>(
    `SELECT EXISTS (SELECT FROM identity.user_access JOIN identity.account USING (user_id)
       WHERE user_id = $1 AND disabled_at IS NULL AND password IS NOT NULL) AS may`,
    [userId],
  );
  return rows[0]?.may ?? false;
}

/** Revokes everything that could let a user choose a password or sign in: sent links and unfinished sign-ins. */
export async function forgetVerifications(statements: Statements, userId: string): Promise<void> {
  await statements.query('DELETE FROM identity.verification WHERE value = $1', [userId]);
}
