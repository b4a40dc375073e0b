import { expect, test } from 'vitest';
import { beginFollowing, endFollowing, noteReadPosition } from './read-position.ts';

const answer = (position: string) => noteReadPosition(new Headers({ 'x-events-position': position }));

test('a stream begins where the oldest answer before it was read, and each stream of its own', () => {
  expect(beginFollowing()).toBeNull();
  endFollowing();
  for (const position of ['1000', '999', '', 'x', '-5', '18446744073709551615']) answer(position);
  noteReadPosition(new Headers());
  expect(beginFollowing()).toBe(999n);
  // The stream tells what changes from here on.
  answer('5');
  endFollowing();
  answer('1200');
  expect(beginFollowing()).toBe(1200n);
  endFollowing();
});
