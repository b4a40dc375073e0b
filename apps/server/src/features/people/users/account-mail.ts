import type { WriteTx } from '../../../platform/db/database.ts';
import type { AccountChange } from '../../../platform/identity/account-change.ts';
import type { OutgoingMail } from '../../../platform/work/mail/mailer.ts';
import type { IdentityDeps } from '../identity-deps.ts';

/** What another super admin, or the operator, took from an account. */
export type AccountLoss = 'disabled' | 'demoted' | 'second_factor';

const TEXTS: Record<AccountLoss, string> = {
  disabled: 'disabled your account. Your sessions and service tokens have ended.',
  demoted: 'ended your rights as a super admin.',
  second_factor:
    'removed the second factor of your account. Your sessions have ended. Sign in without it and set up another one. A super admin also has to be confirmed again before approving anything.',
};

/**
 * Mails people about what others took from their accounts: whoever attacks the only other approver must not go
 * unnoticed. The mail is written with the act, whose answer does not wait for it.
 */
export function createAccountMail(deps: MailDeps) {
  return (tx: WriteTx, to: string, loss: AccountLoss, byName: string): Promise<SendLater> =>
    keepMail(deps, tx, {
      kind: 'account_changed',
      to,
      subject: 'Your Copydesk account was changed',
      text: `${byName} has ${TEXTS[loss]}\n\nIf you did not expect this, ask another super admin or the operator of the server at once.\n`,
    });
}

type MailDeps = Pick<IdentityDeps, 'mailer' | 'log'>;
/** For after the commit. A worker makes the attempt when this process does not get there. */
type SendLater = () => void;

async function keepMail({ mailer, log }: MailDeps, tx: WriteTx, mail: OutgoingMail): Promise<SendLater> {
  const send = await mailer?.keep(tx, mail);
  return () => void send?.().catch((error) => log.error({ err: error }, 'the mail about an account failed'));
}

/** Changes of how a person signs in, made with that person's own session. */
type OwnChange = Exclude<AccountChange['action'], 'user.renamed'> | 'user.passkey_removed';

const OWN_CHANGES: Record<OwnChange, string> = {
  'user.password_changed': 'Your password was changed. Your other sessions have ended.',
  'user.password_reset':
    'A new password was chosen by a link that was sent to you. Your sessions have ended.',
  'user.second_factor_enabled': 'An authenticator app was added to your account.',
  'user.second_factor_disabled': 'The authenticator app was removed from your account.',
  'user.backup_codes_renewed': 'Your backup codes were renewed. The earlier ones no longer work.',
  'user.backup_code_used': 'A backup code of yours was used to sign in. It does not work again.',
  'user.passkey_added': 'A passkey was added to your account.',
  'user.passkey_removed': 'A passkey was removed from your account.',
};

/**
 * Mails people about changes of how they sign in: an intruder with one of their sessions must not go
 * unnoticed.
 */
export function createOwnChangeMail(deps: MailDeps) {
  return async (tx: WriteTx, to: string, action: AccountChange['action'] | OwnChange): Promise<SendLater> =>
    action === 'user.renamed'
      ? () => {}
      : keepMail(deps, tx, {
          kind: 'account_changed',
          to,
          subject: 'The sign-in of your Copydesk account was changed',
          text: `${OWN_CHANGES[action]}\n\nIf it was not you, end your sessions in your profile, choose a new password, and ask a super admin at once.\n`,
        });
}
