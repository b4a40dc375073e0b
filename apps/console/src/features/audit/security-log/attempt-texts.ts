import type { RefusalCode } from '@copydesk/contract/audit';
import { isAboutAccount } from '@copydesk/domain/access';
import { REFUSAL_KINDS } from '../../../lib/api/refusal-kinds.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import type { RefusedAttempt, SecurityLogMeta } from './security-log-queries.ts';

/** What was tried, by code. */
export const ATTEMPTS: Record<RefusalCode, string> = {
  not_admin: 'Tried to use the console without being an admin',
  no_provider_access: 'Tried to use the console without access to a provider',
  role_required: 'Tried something that the role at the provider does not allow',
  super_admin_required: 'Tried something that only super admins may do',
  service_scope_required: 'Made a call outside of the scopes of the token',
  person_required: 'Made a call that only people may make',
  reveal_super_only: 'Tried to reveal a secret that only super admins may see',
  view_as_read_only: 'Tried to change something while viewing as another user',
  view_as_ended: 'Sent the header of a view that is not open',
  organization_ended: 'Tried to work in a provider without access to it, or after it ended',
  export_access_changed: 'Tried to save an export with rows that the account no longer sees',

  invalid_token: 'Sent an access token that is not valid',
  malformed_token: 'Sent something that is not an access token',
  invalid_service_token: 'Sent a service token that is not valid',
  account_disabled: 'Tried to use a disabled account',
  account_not_invited: 'Signed in at the identity service without an account here',
  invalid_signature: 'Sent a webhook with a wrong or expired signature',
  setup_token_invalid: 'Tried to set up the server with an invalid token',
  demo_only_on_loopback: 'Tried to sign in as a demo persona from another machine',
  wrong_password: 'Entered a wrong password',
  wrong_code: 'Entered a wrong code at sign-in',
  code_used: 'Entered a code at sign-in that had been used before',
  passkey_refused: 'Used a passkey that was not accepted',
  foreign_origin: 'Called the sign-in from another site',

  reauthentication_failed: 'Failed to confirm their identity',
  reauthentication_code_used: 'Confirmed their identity with a code that had been used before',

  own_approval: 'Tried to approve their own request',
  approved_already: 'Approved the same order twice',
  own_release: 'Tried to release an address that they had changed',
  own_confirmation: 'Tried to confirm their own account',
  approval_required: 'Tried to pay again above the approval limit',
  approver_not_independent:
    'Tried to approve a request by a sponsor: who invited or promoted them, or removed their second factor',
  approver_not_confirmed: 'Tried to approve a request with an unconfirmed account',
  approver_too_new: 'Tried to approve a request too soon after becoming a super admin',
  requester_inactive: 'Tried to approve a request of a disabled super admin',
  requester_not_independent: 'Tried to approve a request by an unconfirmed account whose sponsor they are',
  confirmer_not_confirmed: 'Tried to confirm an account without being confirmed',
  confirmation_not_independent: 'Tried to confirm an account whose sponsor they are',
  confirmation_needs_sponsor: 'Tried to confirm an account without a sponsor',
  actor_not_confirmed: 'Tried to disable, demote or sign out a confirmed super admin while not confirmed',
  operator_confirmation_required: 'Tried to confirm an account, which only the operator of the server could',

  rate_limited: 'Made too many calls',
  too_many_attempts: 'Was locked out after too many attempts',
  reveal_burst: 'Revealed the secrets of unusually many exchange accounts',
  address_disowned: 'Said by Telegram that a changed payout address is not theirs',
};

/** Calls of the sign-in service, which the API does not describe. */
const SIGN_IN_CALLS: Record<string, string> = {
  'POST /api/auth/sign-in/email': 'Signing in with a password',
  'POST /api/auth/two-factor/verify-totp': 'Signing in with a code',
  'POST /api/auth/two-factor/verify-backup-code': 'Signing in with a backup code',
  'POST /api/auth/passkey/verify-authentication': 'Signing in with a passkey',
  'POST /api/auth/passkey/verify-registration': 'Adding a passkey',
  'POST /api/auth/change-password': 'Changing the password',
  'POST /api/auth/two-factor/enable': 'Setting up an authenticator app',
  'POST /api/auth/two-factor/disable': 'Removing the authenticator app',
  'POST /api/auth/two-factor/get-totp-uri': 'Showing the key of the authenticator app',
  'POST /api/auth/two-factor/generate-backup-codes': 'Making new backup codes',
};

/**
 * What was tried on an account, by code, before its name. The caller has proven nothing: it need not be the
 * account's person.
 */
const ACCOUNT_ATTEMPTS: Partial<Record<RefusalCode, string>> = {
  wrong_password: 'Wrong password for the account of',
  wrong_code: 'Wrong code at sign-in for the account of',
  code_used: 'Code that had been used before, at sign-in for the account of',
  passkey_refused: 'Passkey that was not accepted, for the account of',
  account_disabled: 'Attempt to sign in to the disabled account of',
  foreign_origin: 'Sign-in called from another site, for the account of',
  rate_limited: 'Too many calls to sign in to the account of',
  too_many_attempts: 'Too many attempts to sign in to the account of',
};

/** The account that a refused sign-in was about; null: the caller of the row, if it has one, is the caller. */
export function accountOf({
  code,
  call,
  caller_id: id,
  caller_name: name,
}: Pick<RefusedAttempt, 'code' | 'call' | 'caller_id' | 'caller_name'>): {
  id: string;
  name: string;
} | null {
  return id !== null && name !== null && isAboutAccount({ code, call }) ? { id, name } : null;
}

/** What was tried; the API's own text for a code of a newer server. */
export function attemptOf(
  attempt: Pick<RefusedAttempt, 'code' | 'text' | 'call' | 'caller_id' | 'caller_name'>,
): string {
  const { code, text, caller_id } = attempt;
  if (code === 'wrong_password' && caller_id === null)
    return 'Tried to sign in with an e-mail address that has no account';
  const account = accountOf(attempt);
  if (account && Object.hasOwn(ACCOUNT_ATTEMPTS, code))
    return `${ACCOUNT_ATTEMPTS[code as RefusalCode]} ${account.name}`;
  return Object.hasOwn(ATTEMPTS, code) ? ATTEMPTS[code as RefusalCode] : text;
}

/** What is counted only by code and caller; null: nothing. @param address the network that the list is narrowed to */
export function unlistedText(
  unlisted: SecurityLogMeta['unlisted'],
  address: string | undefined,
): string | null {
  if (unlisted.length === 0) return null;
  const total = unlisted.reduce((sum, { count }) => sum + count, 0);
  const kinds = unlisted.map(({ kind, count }) => `${REFUSAL_KINDS[kind]} ${formatCount(count)}`);
  const isOne = total === 1;
  return [
    `${formatCount(total)} ${isOne ? 'attempt is' : 'attempts are'} counted without call and network, because an hour had too many different ones: ${kinds.join(', ')}.`,
    ...(address === undefined ? [] : [`${isOne ? 'It' : 'Some'} may be from this network.`]),
  ].join(' ');
}

/** The call that was refused, with words where there are any. */
export function callOf({
  code,
  call,
  summary,
}: Pick<RefusedAttempt, 'call' | 'summary'> & { code?: string }): string {
  if (code === 'address_disowned') return 'Read from Telegram by a worker';
  // One attempt or many: those beyond what an hour lists are counted without their calls and networks.
  if (call === null) return 'Not listed: too many attempts in this hour';
  return summary ? `${call}: ${summary}` : (SIGN_IN_CALLS[call] ?? call);
}
