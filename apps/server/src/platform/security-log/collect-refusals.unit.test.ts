import { expect, test } from 'vitest';
import { createCollectedRefusals } from './collect-refusals.ts';
import type { Refusal } from './refusal.ts';

const AT = new Date('2026-11-23T10:20:30.400Z');
const later = (minutes: number) => new Date(AT.getTime() + minutes * 60_000);
const refusal = (over: Partial<Refusal> = {}): Refusal => ({
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

test('beyond the limit of an hour attempts are counted by code and caller, and known callers are still listed', () => {
  const collected = createCollectedRefusals(3);
  const from = (address: string, over: Partial<Refusal> = {}) =>
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
    ['malformed_token', null, null, 1],
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
