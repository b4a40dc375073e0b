import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumDecimals } from './decimals.ts';
import { shownParts } from './shown-parts.ts';

test.each([
  [[], []],
  [['1'], ['1.00']],
  [
    ['33.333333', '33.333333', '33.333334'],
    ['33.33', '33.33', '33.34'],
  ],
  [
    ['0.005', '0.005'],
    ['0.01', '0.00'],
  ],
  [
    ['0.004', '0.004'],
    ['0.01', '0.00'],
  ],
  [
    ['0.001', '0.001'],
    ['0.00', '0.00'],
  ],
  [
    ['0', '12.5', '0.000000000000000001'],
    ['0.00', '12.50', '0.00'],
  ],
])('%j is shown as %j', (parts, shown) => {
  expect(shownParts(parts)).toEqual(shown);
});

test('shown parts sum to the shown whole, and none is off by a cent', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 12n }).map((units) => {
    const text = units.toString().padStart(7, '0');
    return `${text.slice(0, -6)}.${text.slice(-6)}`;
  });
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 8 }), (parts) => {
      const shown = shownParts(parts);
      expect(Number(sumDecimals(shown)).toFixed(2)).toBe(
        (Math.floor(Number(sumDecimals(parts.map((part) => part))) * 100 + 0.5 + 1e-9) / 100).toFixed(2),
      );
      for (const [index, part] of parts.entries())
        expect(Math.abs(Number(shown[index]) - Number(part))).toBeLessThan(0.01);
    }),
  );
});
