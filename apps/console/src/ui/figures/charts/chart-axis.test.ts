import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayTicks, valueAxis } from './chart-axis.ts';

test.each([
  // From zero, with steps that people count in.
  [[0, 350, 910], { domain: [0, 1000], ticks: [0, 250, 500, 750, 1000], isBroken: false }],
  // Differences of a tenth: from zero they would be a flat line.
  [[1_000_000, 1_090_000], { domain: [1_000_000, 1_100_000], isBroken: true }],
  // In and out.
  [[120, -80], { domain: [-100, 150], isBroken: false }],
  [[], { domain: [0, 1], isBroken: false }],
  [[0, 0], { domain: [0, 1], isBroken: false }],
])('the axis of %j', (values, axis) => {
  expect(valueAxis(values, String)).toMatchObject(axis);
});

test('ticks whose labels are the same are one', () => {
  expect(valueAxis([0, 2], (value) => value.toFixed(0)).ticks).toEqual([0, 1, 2]);
});

test('an axis has all values, at most five labels, and none twice', () => {
  const value = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  const labelOf = (n: number) => n.toFixed(0);
  fc.assert(
    fc.property(fc.array(value, { maxLength: 20 }), (values) => {
      const { domain, ticks, isBroken } = valueAxis(values, labelOf);
      for (const one of values) {
        expect(one).toBeGreaterThanOrEqual(domain[0]);
        expect(one).toBeLessThanOrEqual(domain[1]);
      }
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(new Set(ticks.map(labelOf)).size).toBe(ticks.length);
      expect(isBroken).toBe(domain[0] > 0);
    }),
  );
});

test.each([1, 4, 5, 6, 30, 365])('of %i days at most five have labels, and the first has one', (count) => {
  const days = Array.from({ length: count }, (_, at) => ({ day: String(at) }));
  const ticks = dayTicks(days);
  expect(ticks[0]).toBe('0');
  expect(ticks.length).toBeLessThanOrEqual(5);
  expect(ticks.length).toBeGreaterThanOrEqual(Math.min(count, 3));
});
