import { expect, test } from 'vitest';
import { fillTemplate, findTextProblem } from './bot-texts.ts';

const INVOICE = 'Send {amount} over {network} to {address}';

test.each([
  ['menu', 'Hello', null],
  ['menu', ' \n', { code: 'empty' }],
  ['menu', 'x'.repeat(601), { code: 'too_long', most: 600 }],
  ['menu', 'two\nlines', null],
  ['menu', 'a\u0000b', { code: 'control_characters' }],
  ['menu', 'Hello {name}', { code: 'unknown_placeholder', name: 'name' }],
  ['menu', 'a { b } {}', null],
  ['invoice', INVOICE, null],
  ['invoice', 'Pay to {address}', { code: 'missing_placeholder', name: 'amount' }],
  ['button_menu', 'Menu', null],
  ['button_menu', 'two\nlines', { code: 'several_lines' }],
  ['button_menu', 'x'.repeat(41), { code: 'too_long', most: 40 }],
] as const)('a text for %s: %j', (key, text, problem) => {
  expect(findTextProblem(key, text)).toEqual(problem);
});

test('values are put in once, and never read as templates', () => {
  expect(fillTemplate('{a} and {b}, {c}', { a: '{b}', b: '2' })).toBe('{b} and 2, {c}');
});
