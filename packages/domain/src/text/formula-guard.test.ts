import { expect, test } from 'vitest';
import { guardFormula } from './formula-guard.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+491234', "'+491234"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-1+1', "'-1+1"],
  ['--1', "'--1"],
  ['-1e5', "'-1e5"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠a', "'＠a"],
  ['  =1', "'  =1"],
  ['"=1"', `'"=1"`],
  ['\t=1', "'\t'=1"],
  ['\rx', "'\rx"],
  ['a;=1+1', "a;'=1+1"],
  ['a, =HYPERLINK("x")', `a,' =HYPERLINK("x")`],
  ['a\t@b|+c', "a\t'@b|'+c"],
  ['first\n=1', "first\n'=1"],
  ['first\r\n-2+3', "first\r\n'-2+3"],
  ['a,"=1"', `a,'"=1"`],
])('%j begins a formula: %j', (text, guarded) => {
  expect(guardFormula(text)).toBe(guarded);
});

test.each([
  '',
  'Ada',
  'a=b',
  'a - b',
  '-12.5',
  '0',
  '12.5',
  'a, -5',
  '2026-03-01T10:00:00Z',
  'x@y.example',
  'a;b',
])('%j begins none', (text) => {
  expect(guardFormula(text)).toBe(text);
});

test('what is guarded stays so', () => {
  expect(guardFormula(guardFormula('=1;=2'))).toBe("'=1;'=2");
});
