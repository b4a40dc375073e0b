import { expect, test } from 'vitest';
import { chooseSteps } from './choose-steps.ts';

const STEPS = [
  { name: 'types', command: ['tsc'] },
  { name: 'unit', command: ['vitest'], narrow: (parts: string[]) => parts },
  { name: 'e2e', command: ['playwright'], narrow: (parts: string[]) => parts.map((part) => `e2e/${part}`) },
];
const commands = (...words: string[]) => chooseSteps(STEPS, words).map(({ command }) => command.join(' '));

test('without words every step runs, as a whole', () => {
  expect(commands()).toEqual(['tsc', 'vitest', 'playwright']);
});

test('the name of a step chooses it', () => {
  expect(commands('types', 'e2e')).toEqual(['tsc', 'playwright']);
});

test('any other word narrows the steps that run test files, and finds singulars as well', () => {
  expect(commands('invoices', 'payments')).toEqual([
    'vitest invoice payment',
    'playwright e2e/invoice e2e/payment',
  ]);
});

test('both together narrow the named step', () => {
  expect(commands('e2e', 'invoices')).toEqual(['playwright e2e/invoice']);
});

test('a step on demand runs only when it is named', () => {
  const steps = [...STEPS, { name: 'slow', command: ['slow'], onDemand: true }];
  const chosen = (...words: string[]) => chooseSteps(steps, words).map(({ name }) => name);
  expect(chosen()).toEqual(['types', 'unit', 'e2e']);
  expect(chosen('slow')).toEqual(['slow']);
});

test('a long step runs with --long and with no other, or when it is named', () => {
  const steps = [...STEPS, { name: 'kills', command: ['kills'], isLong: true }];
  const chosen = (...words: string[]) => chooseSteps(steps, words).map(({ name }) => name);
  expect(chosen()).toEqual(['types', 'unit', 'e2e']);
  expect(chosen('--long')).toEqual(['kills']);
  expect(chosen('kills')).toEqual(['kills']);
});
