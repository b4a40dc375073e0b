import { REFUSAL_KINDS as RECORDED } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { REFUSAL_KINDS } from '../../lib/refusal-kinds.ts';
import { ATTEMPTS, attemptOf, callOf } from './attempt-words.ts';
import { securityLogFrom } from './security-log-search.ts';

test('every recorded code and kind has words, and none is left over', () => {
  expect(Object.keys(ATTEMPTS).sort()).toEqual(Object.keys(RECORDED).sort());
  expect(Object.keys(REFUSAL_KINDS).sort()).toEqual([...new Set(Object.values(RECORDED))].sort());
});

test('a wrong password names no account that does not exist', () => {
  const attempt = { code: 'wrong_password', text: 'Wrong' };
  expect(attemptOf({ ...attempt, caller_id: 'u' })).toBe('Entered a wrong password');
  expect(attemptOf({ ...attempt, caller_id: null })).toMatch(/no account$/);
});

test('a code of a newer server is shown with its own text', () => {
  expect(attemptOf({ code: 'constructor', text: 'Moon phase refused', caller_id: null })).toBe(
    'Moon phase refused',
  );
});

test('calls in words', () => {
  expect(callOf({ call: 'GET /api/audit', summary: 'Everything' })).toBe('GET /api/audit: Everything');
  expect(callOf({ call: 'POST /api/auth/sign-in/email', summary: null })).toBe('Signing in with a password');
  expect(callOf({ call: 'POST /api/webhooks/bot', summary: null })).toBe('POST /api/webhooks/bot');
  expect(callOf({ call: null, summary: null })).toBe('Several calls');
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
