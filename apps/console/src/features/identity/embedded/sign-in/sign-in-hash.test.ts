import { expect, test } from 'vitest';
import { readSignInHash } from './sign-in-hash.ts';

test.each([
  ['', '', null],
  ['#/', '', null],
  ['#/factor-two', 'factor-two', null],
  ['#/accept?token=a%2Fb', 'accept', 'a/b'],
  ['#/reset?token=', 'reset', ''],
  ['#/somewhere', '', null],
])('%s shows "%s" with token %s', (hash, view, token) => {
  expect(readSignInHash(hash)).toEqual({ view, token });
});
