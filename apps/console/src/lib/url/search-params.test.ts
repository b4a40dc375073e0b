import { expect, test } from 'vitest';
import { localPath, parseSearch, stringifySearch, text } from './search-params.ts';

test('keeps numbers as they were typed', () => {
  expect(parseSearch('?search=0042&dir=asc')).toEqual({ search: '0042', dir: 'asc' });
  expect(stringifySearch({ search: '0042', tab: undefined, dir: '' })).toBe('?search=0042');
  expect(stringifySearch({})).toBe('');
});

test('text is trimmed, cut and rid of control characters', () => {
  expect(text(' a\u0000b ', 10)).toBe('ab');
  expect(text('abcdef', 3)).toBe('abc');
  expect(text('  ', 3)).toBeUndefined();
  expect(text(7, 3)).toBeUndefined();
});

test.each([
  ['/trader/1?x=2', '/trader/1?x=2'],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['https://evil.example', undefined],
  ['javascript:alert(1)', undefined],
  ['/sign-in?from=/', undefined],
  [undefined, undefined],
])('after signing in %s leads to %s', (from, expected) => {
  expect(localPath(from)).toBe(expected);
});
