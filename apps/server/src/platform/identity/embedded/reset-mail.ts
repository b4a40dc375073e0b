import type { Statements } from '../../db/statements.ts';
import type { Logger } from '../../log/log.ts';
import type { Mailer } from '../mailer.ts';
import { signInLink } from '../sign-in-link.ts';

export interface ResetMailDeps {
  statements: Statements;
  mailer: Mailer | null;
  log: Logger;
  /** Origin of the console. */
  origin: string;
}

/**
 * Sends the link to choose a new password. The answer does not wait for it, so it takes as long for an address without
 * a user. The link itself is never logged; without SMTP the operator makes one with `npm run admin -- reset`.
 */
export function createResetMail({ statements, mailer, log, origin }: ResetMailDeps) {
  return async ({ user, token }: { user: { id: string; email: string }; token: string }): Promise<void> => {
    const send = async () => {
      if (!(await mayReset(statements, user.id))) return;
      if (!mailer) {
        log.warn({ userId: user.id }, 'a password reset was asked for, but SMTP_URL is not set');
        return;
      }
      await mailer({
        to: user.email,
        subject: 'Choose a new Copydesk password',
        text: `Someone, most likely you, requested a new password at ${origin}.\n\nChoose it here within the hour:\n${signInLink(origin, 'reset', token)}\n\nIf it was not you, ignore this message: nothing has changed.\n`,
      });
    };
    send().catch((error) => log.error({ err: error, userId: user.id }, 'password reset mail failed'));
  };
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
