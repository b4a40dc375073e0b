import { expect, test } from 'vitest';
import { createCollectedRefusals, LISTED_PER_CALLER } from './collect-refusals.ts';
import type { RefusedAttempt } from './refusal.ts';

const AT = new Date('2026-11-23T10:20:30.400Z');
const later = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);
const refusal = (over: Partial<RefusedAttempt> = {}): RefusedAttempt => ({
  code: 'super_admin_required',
  call: 'GET /api/audit',
  caller: { kind: 'user', id: 'u', name: 'staff@example.com' },
  address: '203.0.113.7',
  requestId: 'r1',
  ...over,
});

test('the same attempt of one hour is one row with a count', () => {
  const collected = createCollectedRefusals();
  collected.add(refusal(), AT);
  collected.add(refusal({ requestId: 'r2' }), later(5));
  collected.add(refusal({ requestId: 'r3' }), later(45));
  expect(collected.take()).toMatchObject([
    {
      hour: '2026-11-23T10:00:00.000Z',
      kind: 'access',
      count: 2,
      first_at: '2026-11-23T10:20:30.400Z',
      last_at: '2026-11-23T10:25:30.400Z',
      request_id: 'r2',
    },
    { hour: '2026-11-23T11:00:00.000Z', count: 1, request_id: 'r3' },
  ]);
  expect(collected.take()).toEqual([]);
});

test('addresses of one network are one row, with the last address', () => {
  const collected = createCollectedRefusals();
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9']) collected.add(refusal({ address }), AT);
  expect(collected.take()).toMatchObject([
    { network: '2001:db8:1:2', address: '2001:db8:1:2:ffff::9', count: 2 },
  ]);
});

test('beyond the rows of a caller attempts are counted by code and caller, and other callers are still listed', () => {
  const collected = createCollectedRefusals(3);
  const from = (address: string, over: Partial<RefusedAttempt> = {}) =>
    collected.add(refusal({ address, caller: null, code: 'invalid_token', ...over }), AT);
  for (let n = 0; n < 1_000; n += 1) from(`10.0.${n >> 8}.${n & 255}`);
  from('10.9.9.9', { code: 'malformed_token' });
  // Listed already: counted on.
  from('10.0.0.0');
  collected.add(refusal(), AT);
  const rows = collected.take();
  expect(rows.map(({ code, network, call, count }) => [code, network, call, count])).toEqual([
    ['invalid_token', '10.0.0.0', 'GET /api/audit', 2],
    ['invalid_token', '10.0.0.1', 'GET /api/audit', 1],
    ['invalid_token', '10.0.0.2', 'GET /api/audit', 1],
    ['invalid_token', null, null, 997],
    ['malformed_token', '10.9.9.9', 'GET /api/audit', 1],
    ['super_admin_required', '203.0.113.7', 'GET /api/audit', 1],
  ]);
  // A flush begins no new allowance; an hour does.
  from('10.7.7.7');
  expect(collected.take()).toMatchObject([{ network: null }]);
  collected.add(refusal({ address: '10.7.7.7', caller: null }), later(60));
  expect(collected.take()).toMatchObject([{ network: '10.7.7.7' }]);
});

test('a known caller beyond the limit keeps its name', () => {
  const collected = createCollectedRefusals(1);
  collected.add(refusal(), AT);
  for (const call of ['GET /api/users', 'GET /api/waitlist']) collected.add(refusal({ call }), AT);
  expect(collected.take().at(-1)).toMatchObject({ caller_id: 'u', call: null, network: null, count: 2 });
});

test('one caller uses up its own rows only, and what is beyond them keeps its name', () => {
  const collected = createCollectedRefusals();
  for (const address of ['203.0.113.1', '203.0.113.2'])
    for (let n = 0; n < 400; n += 1) collected.add(refusal({ call: `GET /api/call-${n}`, address }), AT);
  const other = { kind: 'user', id: 'o', name: 'other@example.com' } as const;
  collected.add(refusal({ caller: other }), AT);
  const rows = collected.take();
  expect(rows).toHaveLength(LISTED_PER_CALLER + 2);
  expect(rows.filter(({ call }) => call === null)).toMatchObject([
    { caller_id: 'u', network: null, address: null, count: 800 - LISTED_PER_CALLER },
  ]);
  expect(rows.at(-1)).toMatchObject({ caller_id: 'o', call: 'GET /api/audit', network: '203.0.113.7' });
});

test('accounts that use up the hour together hide neither another account nor another code', () => {
  const collected = createCollectedRefusals();
  const account = (n: number) => ({ kind: 'user', id: `a${n}`, name: `a${n}@example.com` }) as const;
  for (let n = 0; n < 12; n += 1)
    for (let call = 0; call < 120; call += 1)
      collected.add(refusal({ call: `GET /api/call-${call}`, caller: account(n) }), AT);
  for (let n = 0; n < 1_000; n += 1)
    collected.add(refusal({ code: 'invalid_token', caller: null, address: `10.1.${n >> 8}.${n & 255}` }), AT);
  collected.take();

  const other = { kind: 'user', id: 'o', name: 'other@example.com' } as const;
  for (let n = 0; n < LISTED_PER_CALLER + 5; n += 1)
    collected.add(refusal({ caller: other, call: `POST /api/call-${n}` }), AT);
  collected.add(refusal({ code: 'setup_token_invalid', caller: null, address: '10.9.9.9' }), AT);
  const rows = collected.take();
  expect(rows.filter(({ caller_id, call }) => caller_id === 'o' && call !== null)).toHaveLength(
    LISTED_PER_CALLER,
  );
  expect(rows.filter(({ call }) => call === null)).toMatchObject([{ caller_id: 'o', count: 5 }]);
  expect(rows.at(-1)).toMatchObject({ code: 'setup_token_invalid', network: '10.9.9.9' });
});

test('sign-ins use up the rows of unknown callers, whatever account they name', () => {
  const collected = createCollectedRefusals(3);
  const signIn = { call: 'POST /api/auth/sign-in/email' } as const;
  const account = (n: number) => ({ kind: 'user', id: `a${n}`, name: `a${n}@example.com` }) as const;
  for (let n = 0; n < 5; n += 1)
    collected.add(
      refusal({ ...signIn, code: 'wrong_password', caller: account(n), address: `10.0.0.${n}` }),
      AT,
    );
  collected.add(refusal({ ...signIn, code: 'rate_limited', caller: account(0), address: '10.0.0.9' }), AT);
  collected.add(refusal(), AT);
  expect(collected.take().map(({ code, call, caller_id }) => [code, call, caller_id])).toEqual([
    ['wrong_password', signIn.call, 'a0'],
    ['wrong_password', signIn.call, 'a1'],
    ['wrong_password', signIn.call, 'a2'],
    ['wrong_password', null, 'a3'],
    ['wrong_password', null, 'a4'],
    ['rate_limited', signIn.call, 'a0'],
    ['super_admin_required', 'GET /api/audit', 'u'],
  ]);
});

test('what is counted of sign-ins names no account by a code that other calls have', () => {
  const collected = createCollectedRefusals(0);
  const caller = { kind: 'user', id: 'a0', name: 'a0@example.com' } as const;
  collected.add(refusal({ call: 'POST /api/auth/sign-in/email', code: 'rate_limited', caller }), AT);
  expect(collected.take()).toMatchObject([{ code: 'rate_limited', call: null, caller_id: null }]);
});

test('what could not be written is added to what came meanwhile', () => {
  const collected = createCollectedRefusals();
  collected.add(refusal(), AT);
  const taken = collected.take();
  collected.add(refusal({ requestId: 'r2' }), later(1));
  collected.putBack(taken);
  expect(collected.take()).toMatchObject([
    { count: 2, first_at: AT.toISOString(), last_at: later(1).toISOString(), request_id: 'r2' },
  ]);
});
