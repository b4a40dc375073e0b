import { expect, test } from 'vitest';
import { planPayments, readDemand } from './paying-habits.ts';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

test.each([
  [`Send \u206612.5 USDT\u2069 to this address:\n${ADDRESS}\nonly USDT`, 12_500_000_000_000_000_000n],
  [
    `Invoice of 100.00 USDT.\nReceived so far: 40.00 USDT. To pay, send 60.000001 USDT to ${ADDRESS}`,
    60_000_001_000_000_000_000n,
  ],
])("the demand is read from a message's text: %s", (text, units) => {
  expect(readDemand(text)).toEqual({ address: ADDRESS, units });
});

test('a message without an address asks for nothing', () => {
  expect(readDemand('Your invoice of 10.00 USDT is paid. Thank you!')).toBeNull();
});

test('traders pay exactly, in parts, late, too much, with another token or not at all; the same one always the same', () => {
  const plans = Array.from({ length: 400 }, (_, n) => planPayments(String(n), 90n));
  expect(planPayments('7', 90n)).toEqual(plans[7]);
  const total = (plan: (typeof plans)[number]) => plan.reduce((sum, { units }) => sum + units, 0n);
  const kinds = new Set(
    plans.map((plan) =>
      plan.length === 0
        ? 'never'
        : plan.some(({ isRightToken }) => !isRightToken)
          ? 'wrong token'
          : plan.length === 2
            ? 'in parts'
            : total(plan) > 90n
              ? 'too much'
              : (plan[0]?.afterMs ?? 0) >= 300_000
                ? 'late'
                : 'exact',
    ),
  );
  expect([...kinds].sort()).toEqual(['exact', 'in parts', 'late', 'never', 'too much', 'wrong token']);
  for (const plan of plans.filter(({ length }) => length === 2)) expect(total(plan)).toBe(90n);
});
