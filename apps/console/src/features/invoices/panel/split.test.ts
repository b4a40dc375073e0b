import { expect, test } from 'vitest';
import { sharesOfWhole } from './split.tsx';

const texts = (parts: string[], whole: string) => sharesOfWhole(parts, whole).map(({ text }) => text);

test.each([
  [['8.85', '13.275'], '22.125', ['40%', '60%']],
  [['1', '1', '1'], '3', ['33.4%', '33.3%', '33.3%']],
  [['70', '24.75', '0.25', '1', '2', '2'], '100', ['70%', '24.8%', '0.2%', '1%', '2%', '2%']],
  [['1', '2'], '0', ['0%', '0%']],
])('%j of %s', (parts, whole, expected) => {
  expect(texts(parts, whole)).toEqual(expected);
});

test('the labels of a whole always sum to 100', () => {
  for (let n = 1; n < 400; n++) {
    const parts = [n % 7, n % 11, n % 13, n % 29, 1].map((part) => part * 1.37);
    const whole = parts.reduce((sum, part) => sum + part, 0);
    const tenths = texts(parts.map(String), String(whole)).map((text) =>
      Math.round(Number.parseFloat(text) * 10),
    );
    expect(tenths.reduce((sum, tenth) => sum + tenth, 0)).toBe(1_000);
  }
});

test('a tip goes beyond the whole', () => {
  expect(texts(['70', '30', '5'], '100')).toEqual(['70%', '30%', '5%']);
});

test('a bar is as wide as its part is, and no wider than the whole', () => {
  expect(sharesOfWhole(['0.5', '66'], '33').map(({ width }) => width)).toEqual([
    expect.closeTo(1.515, 2),
    100,
  ]);
});
