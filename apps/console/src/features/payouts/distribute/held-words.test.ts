import { expect, test } from 'vitest';
import { heldReason } from './held-words.ts';

const line = { payableFrom: null, changeId: null, canRelease: false };

test('a held recipient says from when on it is payable, with the zone, or why not', () => {
  const changed = {
    ...line,
    reason: 'address_changed',
    payableFrom: '2026-11-23T14:05:00.000Z',
    changeId: 'c1',
  } as const;
  expect(heldReason({ ...changed, canRelease: true })).toBe('Payable from Nov 23, 14:05 UTC');
  expect(heldReason(changed)).toBe(
    'Payable from Nov 23, 14:05 UTC. Another super admin can release it earlier.',
  );
  expect(heldReason({ ...line, reason: 'deposit_frozen' })).toBe('Deposit address frozen');
  expect(heldReason({ ...line, reason: 'not_checked' })).toBe('Not checked against the chain yet');
});
