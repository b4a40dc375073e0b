import { expect, test } from 'vitest';
import { isAboutAccount, SIGN_IN_CALLS } from './sign-in-refusals.ts';

const OTHER = 'GET /api/traders';

test.each(['wrong_password', 'wrong_code', 'code_used', 'passkey_refused', 'account_disabled'])(
  '%s is about an account, whatever the call',
  (code) => {
    expect(isAboutAccount({ code, call: null })).toBe(true);
    expect(isAboutAccount({ code, call: OTHER })).toBe(true);
  },
);

test('whoever signs in has not proven anything, whatever refuses it', () => {
  expect(SIGN_IN_CALLS).toEqual([
    'POST /api/auth/sign-in/email',
    'POST /api/auth/two-factor/verify-totp',
    'POST /api/auth/two-factor/verify-backup-code',
    'POST /api/auth/passkey/verify-authentication',
  ]);
  for (const call of SIGN_IN_CALLS) expect(isAboutAccount({ code: 'rate_limited', call })).toBe(true);
});

test('other refusals are about the person who calls', () => {
  expect(isAboutAccount({ code: 'rate_limited', call: OTHER })).toBe(false);
  expect(isAboutAccount({ code: 'rate_limited', call: null })).toBe(false);
});
