import { expect, test } from 'vitest';
import { compareNames } from './name-order.ts';

test('names are in the order of letters, not of bytes', () => {
  const names = ['Évora', 'Zulu', 'Team 10', 'evening', 'ähre', 'Anker', 'Team 2'];
  expect(names.toSorted(compareNames)).toEqual([
    'ähre',
    'Anker',
    'evening',
    'Évora',
    'Team 2',
    'Team 10',
    'Zulu',
  ]);
});
