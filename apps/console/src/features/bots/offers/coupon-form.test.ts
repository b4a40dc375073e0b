import { expect, test } from 'vitest';
import { couponBody, couponErrors, EMPTY_COUPON } from './coupon-form.ts';

const FORM = { ...EMPTY_COUPON, code: 'SPRING-26', discount: '10' };

test('both days of a period count', () => {
  expect(couponBody({ ...FORM, from: '2026-03-01', to: '2026-03-31' })).toMatchObject({
    percent: 10,
    amount: null,
    starts_at: '2026-03-01T00:00:00.000Z',
    ends_at: '2026-04-01T00:00:00.000Z',
  });
  expect(couponErrors({ ...FORM, from: '2026-03-01', to: '2026-03-01' })).toEqual({});
  expect(couponErrors({ ...FORM, from: '2026-03-02', to: '2026-03-01' })).toHaveProperty('to');
});

test('an empty limit is none', () => {
  expect(couponBody({ ...FORM, maxUses: ' 20 ' })).toMatchObject({ max_uses: 20, max_uses_per_user: null });
});

test.each([
  [{ code: 'no spaces' }, 'code'],
  [{ discount: '0' }, 'discount'],
  [{ discount: '100' }, 'discount'],
  [{ discount: '2.5' }, 'discount'],
  [{ kind: 'amount' as const, discount: '0.00' }, 'discount'],
  [{ kind: 'amount' as const, discount: '1e3' }, 'discount'],
  [{ maxUses: '0' }, 'maxUses'],
  [{ maxUsesPerUser: 'two' }, 'maxUsesPerUser'],
])('what is refused before it is sent: %j', (changes, field) => {
  expect(Object.keys(couponErrors({ ...FORM, ...changes }))).toEqual([field]);
});

test('an amount is sent with every digit that was typed', () => {
  const form = { ...FORM, kind: 'amount' as const, discount: '5.123456789012345678' };
  expect(couponErrors(form)).toEqual({});
  expect(couponBody(form)).toMatchObject({ percent: null, amount: '5.123456789012345678' });
});
