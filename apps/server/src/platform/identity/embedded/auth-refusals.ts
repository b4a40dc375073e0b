import { APIError } from 'better-auth/api';

/** Refusals for the sign-in page, in the library's own form of an error: `{code, message}`. */
export const refusals = {
  tooManyAttempts: (waitSeconds: number) =>
    new APIError(
      'TOO_MANY_REQUESTS',
      {
        code: 'TOO_MANY_ATTEMPTS',
        message: `Too many attempts on this account. Please try again in ${describeWait(waitSeconds)}.`,
      },
      { 'retry-after': String(waitSeconds) },
    ),
  accountDisabled: () =>
    new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED', message: 'This account is disabled.' }),
  sessionEnded: () =>
    new APIError('UNAUTHORIZED', {
      code: 'SESSION_ENDED',
      message: 'Your session has ended. Sign in again.',
    }),
  passkeyRequired: () =>
    new APIError('FORBIDDEN', {
      code: 'PASSKEY_REQUIRED',
      message:
        'This account signs in with a passkey, so the password alone is not enough. Choose "Sign in with a passkey". If you have lost it, ask a super admin to remove it.',
    }),
  weakPassword: (message: string) => new APIError('BAD_REQUEST', { code: 'WEAK_PASSWORD', message }),
  setUpReplaced: () =>
    new APIError('CONFLICT', {
      code: 'SET_UP_REPLACED',
      message:
        'This set-up has ended: another one began in another tab. Finish it there, or close this and begin again. The backup codes of the last one are valid.',
    }),
  codeUsed: () =>
    new APIError('UNAUTHORIZED', {
      code: 'CODE_USED',
      message: 'This code has already been used. Please wait for the next one.',
    }),
  codeRequired: () =>
    new APIError('BAD_REQUEST', {
      code: 'CODE_REQUIRED',
      message: 'Enter the code of your authenticator app as well.',
    }),
  codeWrong: () =>
    new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'This code is wrong. Please try again.' }),
  proofRequired: () =>
    new APIError('FORBIDDEN', {
      code: 'REAUTHENTICATION_REQUIRED',
      message: 'Confirm that it is you, then try again.',
    }),
  passkeyNotVerified: () =>
    new APIError('UNAUTHORIZED', {
      code: 'PASSKEY_NOT_VERIFIED',
      message: 'This device did not check that it is you. Use one with a PIN, a fingerprint or a face.',
    }),
  passkeyKnown: () =>
    new APIError('CONFLICT', {
      code: 'PASSKEY_KNOWN',
      message: 'This passkey is already registered.',
    }),
  tooManyPasskeys: (limit: number) =>
    new APIError('CONFLICT', {
      code: 'TOO_MANY_PASSKEYS',
      message: `An account has ${limit} passkeys at most. Remove one that you no longer use.`,
    }),
  invalidInput: () => new APIError('BAD_REQUEST', { code: 'INVALID_INPUT', message: 'Invalid input' }),
  fieldNotAllowed: (field: string) =>
    new APIError('BAD_REQUEST', { code: 'FIELD_NOT_ALLOWED', message: `${field} cannot be set here.` }),
};

function describeWait(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
