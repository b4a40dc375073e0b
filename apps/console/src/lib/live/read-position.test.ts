import { expect, test } from 'vitest';
import { noteReadPosition, takeReadPosition } from './read-position.ts';

const answer = (position: string) => noteReadPosition(new Headers({ 'x-events-position': position }));

test('a stream begins where the oldest answer before it was read, and each stream of its own', () => {
  expect(takeReadPosition()).toBeNull();
  for (const position of ['1000', '999', '', 'x', '18446744073709551615']) answer(position);
  noteReadPosition(new Headers());
  expect(takeReadPosition()).toBe(999n);
  answer('1200');
  expect(takeReadPosition()).toBe(1200n);
  expect(takeReadPosition()).toBeNull();
});
