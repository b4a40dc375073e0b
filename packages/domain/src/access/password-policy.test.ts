import { expect, test } from 'vitest';
import { passwordProblem } from './password-policy.ts';

const own = { email: 'ina.berg@desk.example', name: 'Ina Bergström' };

test.each([
  ['correct horse battery', null],
  ['a word of ina and others', null],
  ['ina.berg@desk.example', 'own'],
  ['InaBergström2024', 'own'],
  ['!!Berg-Ina-123!', 'own'],
  ['guessed first!', 'common'],
  // Nothing of the own name in it: length and commonness decide.
  ['!!!!????1234', null],
] as const)('%s: %s', (password, expected) => {
  expect(passwordProblem(password, own, (text) => text === 'guessed first!')).toBe(expected);
});
