import { expect, test } from 'vitest';
import type { AccessCall } from './calls-panel.tsx';
import { isFound, proofText, whoText } from './calls-panel.tsx';

const call: AccessCall = {
  call: 'PATCH /api/traders/{id}',
  summary: 'Changes a trader',
  permission: 'staff',
  capability: 'traders:write',
  service_scope: 'traders:write',
  recent_auth_fields: ['external_wallet_address'],
  second_factor: true,
};

test.each([
  [call, 'Staff who may change traders'],
  [{ ...call, permission: 'super' as const, capability: null }, 'Super admins'],
])('who may make a call', (given, text) => {
  expect(whoText(given)).toBe(text);
});

test.each([
  [[], false, null],
  [null, false, 'Recent sign-in'],
  [null, true, 'Recent sign-in and second factor'],
  [['external_wallet_address'], false, 'Recent sign-in, to change external wallet address'],
] as const)('what a call needs: %j, %s', (fields, second_factor, text) => {
  expect(proofText({ ...call, recent_auth_fields: fields && [...fields], second_factor })).toBe(text);
});

test('a call is found by path, summary and people', () => {
  for (const text of ['patch', 'changes a', 'who may', ' TRADERS '])
    expect(isFound(call, text), text).toBe(true);
  expect(isFound(call, 'invoice')).toBe(false);
});
