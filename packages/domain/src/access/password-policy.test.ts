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
  // Eight letters and digits beside the name are enough; signs do not count.
  ['1ina2345678', null],
  ['1ina234567', 'own'],
  ['Ina!!!!!!!!!!', 'own'],
  // Nothing of the own name in it: length and commonness decide.
  ['!!!!????1234', null],
  ['!!!!????abcd', null],
] as const)('%s: %s', (password, expected) => {
  expect(passwordProblem(password, own, (text) => text === 'guessed first!')).toBe(expected);
});

test('words of one or two letters are in many passwords by chance', () => {
  const short = { email: 'jo@li.de', name: 'Jo Li' };
  expect(passwordProblem('jolijolijoli', short, () => false)).toBeNull();
});
