import { REFUSAL_KINDS as RECORDED } from '@copydesk/contract/audit';
import { expect, test } from 'vitest';
import { REFUSAL_KINDS } from '../../../lib/api/refusal-kinds.ts';
import { ATTEMPTS, accountOf, attemptOf, callOf, unlistedText } from './attempt-texts.ts';
import { securityLogFrom } from './security-log-search.ts';

test('every recorded code and kind has words, and none is left over', () => {
  expect(Object.keys(ATTEMPTS).sort()).toEqual(Object.keys(RECORDED).sort());
  expect(Object.keys(REFUSAL_KINDS).sort()).toEqual([...new Set(Object.values(RECORDED))].sort());
});

const attempt = (changes: object) => ({
  code: 'wrong_password',
  text: 'Wrong',
  call: 'POST /api/auth/sign-in/email',
  caller_id: 'u' as string | null,
  caller_name: 'x@example.com' as string | null,
  ...changes,
});

test('a wrong password names no account that does not exist', () => {
  expect(attemptOf(attempt({ caller_id: null, caller_name: null }))).toMatch(/no account$/);
});

test('a refused sign-in is about an account, and accuses no one', () => {
  expect(attemptOf(attempt({}))).toBe('Wrong password for the account of x@example.com');
  expect(attemptOf(attempt({ call: null }))).toBe('Wrong password for the account of x@example.com');
  for (const code of ['wrong_code', 'code_used', 'passkey_refused', 'account_disabled', 'too_many_attempts'])
    expect(attemptOf(attempt({ code })), code).toMatch(/account of x@example\.com$/);
  expect(accountOf(attempt({}))).toEqual({ id: 'u', name: 'x@example.com' });
});

test('whoever has signed in is the caller', () => {
  const locked = attempt({ code: 'too_many_attempts', call: 'POST /api/reauthenticate' });
  expect(attemptOf(locked)).toBe('Was locked out after too many attempts');
  expect(accountOf(locked)).toBe(null);
  expect(accountOf(attempt({ code: 'role_required', call: null }))).toBe(null);
});

test('a code of a newer server is shown with its own text', () => {
  const moon = attempt({ code: 'constructor', text: 'Moon phase refused' });
  expect(attemptOf(moon)).toBe('Moon phase refused');
});

test('calls in words', () => {
  expect(callOf({ call: 'GET /api/audit', summary: 'Everything' })).toBe('GET /api/audit: Everything');
  expect(callOf({ call: 'POST /api/auth/sign-in/email', summary: null })).toBe('Signing in with a password');
  expect(callOf({ call: 'POST /api/webhooks/bot', summary: null })).toBe('POST /api/webhooks/bot');
  expect(callOf({ call: null, summary: null })).toBe('Not listed: too many attempts in this hour');
});

test('attempts without call and network are counted by kind', () => {
  expect(unlistedText([], undefined)).toBe(null);
  const counts = [
    { kind: 'authentication', count: 1200 },
    { kind: 'access', count: 40 },
  ] as const;
  expect(unlistedText([...counts], undefined)).toBe(
    '1,240 attempts are counted without call and network, because an hour had too many different ones: Sign-in refused 1,200, Access denied 40.',
  );
  expect(unlistedText([...counts], '10.0.0.1')).toMatch(/Some may be from this network\.$/);
});

test('a URL with a kind of the audit shows every kind of refusal', () => {
  expect(securityLogFrom({ kind: 'trader', actor: 'u', view: 'security', from: '2026-02-30' })).toEqual({
    kind: undefined,
    code: undefined,
    actor: 'u',
    address: undefined,
    from: undefined,
    to: undefined,
  });
});
