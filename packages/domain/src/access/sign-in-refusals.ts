/** Calls that sign in: their caller has not proven anything yet. */
export const SIGN_IN_CALLS: readonly string[] = [
  'POST /api/auth/sign-in/email',
  'POST /api/auth/two-factor/verify-totp',
  'POST /api/auth/two-factor/verify-backup-code',
  'POST /api/auth/passkey/verify-authentication',
];
const CALLS: ReadonlySet<string | null> = new Set(SIGN_IN_CALLS);
/** Codes of sign-ins only. A caller that such a row names is the account of the attempt. */
const SIGN_IN_CODES: readonly string[] = [
  'wrong_password',
  'wrong_code',
  'code_used',
  'passkey_refused',
  'account_disabled',
];

/** Whether the caller in a row is only the account that a sign-in attempted to enter. */
export const isAboutAccount = ({ code, call }: { code: string; call: string | null }): boolean =>
  SIGN_IN_CODES.includes(code) || CALLS.has(call);
