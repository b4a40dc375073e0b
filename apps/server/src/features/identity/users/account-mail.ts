import type { AccountChange } from '../../../platform/identity/account-change.ts';
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
 * unnoticed. The act does not wait for the mail, and does not depend on it.
 */
export function createAccountMail({ mailer, log }: Pick<IdentityDeps, 'mailer' | 'log'>) {
  return (to: string, loss: AccountLoss, byName: string): void => {
    mailer?.({
      kind: 'account_changed',
      to,
      subject: 'Your Copydesk account was changed',
      text: `${byName} has ${TEXTS[loss]}\n\nIf you did not expect this, ask another super admin or the operator of the server at once.\n`,
    }).catch((error) => log.error({ err: error }, 'the mail about a changed account failed'));
  };
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

/** Mails people about changes of how they sign in: whoever has one of their sessions must not go unnoticed either. */
export function createOwnChangeMail({ mailer, log }: Pick<IdentityDeps, 'mailer' | 'log'>) {
  return (to: string, action: AccountChange['action'] | OwnChange): void => {
    if (action === 'user.renamed') return;
    mailer?.({
      kind: 'account_changed',
      to,
      subject: 'The sign-in of your Copydesk account was changed',
      text: `${OWN_CHANGES[action]}\n\nIf it was not you, end your sessions in your profile, choose a new password, and ask a super admin at once.\n`,
    }).catch((error) => log.error({ err: error }, 'the mail about a changed sign-in failed'));
  };
}
