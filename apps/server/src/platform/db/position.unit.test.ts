import { expect, test } from 'vitest';
import {
  answeredPosition,
  formatPosition,
  higher,
  notePosition,
  openPositions,
  parsePosition,
} from './position.ts';

test('a position is read as PostgreSQL writes it, and written padded, so that texts compare as positions do', () => {
  expect(parsePosition('16/B374D848')).toBe(0x16_b374d848n);
  expect(parsePosition('1/0')).toBe(0x1_00000000n);
  expect(formatPosition(0x16_b374d848n)).toBe('00000016/B374D848');
  const positions = [1n, 0xffffffffn, 0x1_00000000n, 0x16_b374d848n, 0xa16_b374d848n];
  expect(positions.map(formatPosition).toSorted()).toEqual(positions.map(formatPosition));
  for (const position of positions) expect(parsePosition(formatPosition(position))).toBe(position);
});

test.each([undefined, '', '0/0', '16', '/', '16/', '1/2/3', 'x/1', '123456789/0', ['1/2'], ' 1/2'])(
  '%j is no position',
  (text) => {
    expect(parsePosition(text)).toBeNull();
  },
);

test('what a request has seen, its later reads need; without a position of its client they stay with the leader', () => {
  const knowing = openPositions('1/0');
  notePosition(knowing, 0x2_00000000n);
  notePosition(knowing, 0x1_80000000n);
  expect(knowing).toEqual({ needed: 0x2_00000000n, seen: 0x2_00000000n, isLost: false });
  expect(answeredPosition(knowing)).toBe('00000002/00000000');
  const other = openPositions(undefined);
  notePosition(other, 0x2_00000000n);
  expect(other.needed).toBeNull();
  expect(answeredPosition(openPositions('1/0'))).toBeNull();
});

test('the position of a write that is not known is below all others, and none when it comes back', () => {
  const answered = answeredPosition({ needed: 5n, seen: 5n, isLost: true });
  expect(answered).toBe('00000000/00000000');
  expect(parsePosition(answered)).toBeNull();
});

test('null is lower than any position', () => {
  expect([higher(null, 1n), higher(1n, null), higher(1n, 2n), higher(null, null)]).toEqual([
    1n,
    1n,
    2n,
    null,
  ]);
});
