import { expect, test, vi } from 'vitest';
import { heldReason } from './held.tsx';

const line = { payableFrom: null, awaitsRelease: false };

test('a held recipient says what it waits for, with the zone', () => {
  vi.useFakeTimers({ now: new Date('2026-11-22T15:00:00Z') });
  const changed = {
    reason: 'address_changed',
    payableFrom: '2026-11-23T14:05:00.000Z',
    awaitsRelease: true,
  } as const;
  expect(heldReason({ ...changed, awaitsRelease: false })).toBe('Payable from Nov 23, 14:05 UTC');
  expect(heldReason(changed)).toBe('Waits for another super admin, and until Nov 23, 14:05 UTC');
  vi.setSystemTime(new Date('2026-11-24T15:00:00Z'));
  expect(heldReason(changed)).toBe('Waits for another super admin to release it');
  expect(heldReason({ ...changed, reason: 'referrer_set' })).toBe(
    'Referrer: Waits for another super admin to release it',
  );
  expect(heldReason({ ...line, reason: 'deposit_frozen' })).toBe('Deposit address frozen');
  expect(heldReason({ ...line, reason: 'not_checked' })).toBe('Not checked against the chain yet');
  vi.useRealTimers();
});
