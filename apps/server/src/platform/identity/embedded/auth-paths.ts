/** The base path of the library's calls. */
export const AUTH_BASE_PATH = '/api/auth';

/**
 * The library's paths that people may reach; every other one, present or of a later version, is not found. Exact
 * comparison of the whole path leaves no second spelling of a closed one.
 */
const OPEN_PATHS = new Set(
  [
    '/sign-in/email',
    '/sign-out',
    '/get-session',
    '/token',
    '/jwks',
    '/request-password-reset',
    '/reset-password',
    '/change-password',
    '/update-user',
    '/list-sessions',
    '/revoke-session',
    '/revoke-sessions',
    '/revoke-other-sessions',
    '/two-factor/enable',
    '/two-factor/disable',
    '/two-factor/get-totp-uri',
    '/two-factor/verify-totp',
    '/two-factor/verify-backup-code',
    '/two-factor/generate-backup-codes',
    // Passkeys are listed, renamed and removed by calls of ours, which the audit covers.
    '/passkey/generate-register-options',
    '/passkey/verify-registration',
    '/passkey/generate-authenticate-options',
    '/passkey/verify-authentication',
  ].map((path) => AUTH_BASE_PATH + path),
);

export function isOpenAuthPath(url: string): boolean {
  return OPEN_PATHS.has(new URL(url).pathname);
}

/** The same list for the library, which opens these by default. */
export const CLOSED_PATHS = [
  '/sign-up/email',
  '/sign-in/social',
  '/delete-user',
  '/delete-user/callback',
  '/change-email',
  '/update-session',
  '/link-social',
  '/unlink-account',
  '/list-accounts',
  '/account-info',
  '/refresh-token',
  '/get-access-token',
  '/verify-email',
  '/send-verification-email',
  '/two-factor/send-otp',
  '/two-factor/verify-otp',
  '/passkey/list-user-passkeys',
  '/passkey/update-passkey',
  '/passkey/delete-passkey',
];
