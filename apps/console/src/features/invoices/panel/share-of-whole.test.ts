import { expect, test } from 'vitest';
import { shareOfWhole } from './share-of-whole.ts';

test.each([
  ['8.85', '22.125', 40, '40%'],
  ['1.1368', '16.24', 7, '7%'],
  ['1.339', '133.9', 1, '1%'],
  ['0.5', '33', 1.515, '1.5%'],
  ['5', '0', 0, '0%'],
])('%s of %s', (part, whole, width, text) => {
  const share = shareOfWhole(part, whole);
  expect(share.width).toBeCloseTo(width, 2);
  expect(share.text).toBe(text);
});
