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
      to,
      subject: 'Your Copydesk account was changed',
      text: `${byName} has ${TEXTS[loss]}\n\nIf you did not expect this, ask another super admin or the operator of the server at once.\n`,
    }).catch((error) => log.error({ err: error }, 'the mail about a changed account failed'));
  };
}
