import { expect, test } from 'vitest';
import { externalTarget } from './no-access.tsx';

const HERE = 'https://console.example/';

test.each([
  ['https://www.example/welcome', 'https://www.example/welcome'],
  ['/welcome', null],
  ['https://console.example/other', null],
  ['javascript:alert(1)', null],
  ['', null],
])('people without the admin flag, sent to "%s", land at %s', (configured, expected) => {
  expect(externalTarget(configured, HERE)).toBe(expected);
});
