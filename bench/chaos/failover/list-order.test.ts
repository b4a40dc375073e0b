import { expect, test } from 'vitest';
import type { ListEvent, Micro } from './history.ts';
import { findListProblems } from './list-order.ts';

const append = (list: number, value: number): Micro => ({ list, append: value });
const read = (list: number, ...items: number[]): Micro => ({ list, read: items });
/** From one second to the next but one. */
const at = (second: number, ...micros: Micro[]): ListEvent => ({
  kind: 'lists',
  began: second * 1_000,
  ended: second * 1_000 + 500,
  outcome: 'done',
  micros,
});
const beside = (event: ListEvent): ListEvent => ({ ...event, began: 0, ended: 60_000 });
const NOTHING = { lostWrites: 0, doubledWrites: 0, refusedWrites: 0, wrongReads: 0, cycles: 0 };
const found = (events: ListEvent[], ...lists: number[][]) => {
  const { transactions, ...problems } = findListProblems(
    events,
    new Map(lists.map((items, list) => [list, items])),
  );
  expect(transactions).toBeGreaterThan(0);
  return problems;
};

test('what one transaction after the other wrote and read has no problem', () => {
  const events = [
    at(1, append(0, 10)),
    at(2, read(0, 10), append(1, 20)),
    at(3, append(0, 11), read(0, 10, 11), read(1, 20)),
    { ...at(4, append(0, 12)), outcome: 'unknown' as const },
    { ...at(5, append(0, 99)), outcome: 'failed' as const },
    at(6, read(0, 10, 11, 12)),
  ];
  expect(found(events, [10, 11, 12], [20])).toEqual(NOTHING);
});

test.each<[what: string, events: ListEvent[], lists: number[][], problems: Partial<typeof NOTHING>]>([
  ['an acknowledged value is gone', [at(1, append(0, 1)), at(2, append(0, 2))], [[2]], { lostWrites: 1 }],
  ['a value is there twice', [at(1, append(0, 1))], [[1, 1]], { doubledWrites: 1 }],
  [
    'a refused value is there',
    [at(1, append(0, 1)), { ...at(2, append(0, 2)), outcome: 'failed' }],
    [[1, 2]],
    { refusedWrites: 1 },
  ],
  [
    'a read saw what is gone',
    [at(1, append(0, 1)), at(2, read(0, 1, 7)), at(3, append(0, 2))],
    [[1, 2]],
    { wrongReads: 1 },
  ],
  [
    'a read is of the past',
    [at(1, append(0, 1)), at(2, append(0, 2)), at(3, read(0, 1))],
    [[1, 2]],
    { cycles: 1 },
  ],
  ['the order is not that of the clock', [at(1, append(0, 1)), at(2, append(0, 2))], [[2, 1]], { cycles: 1 }],
  [
    'each of two did not see what the other wrote',
    [beside(at(1, read(0), append(1, 1))), beside(at(1, read(1), append(0, 2)))],
    [[2], [1]],
    { cycles: 1 },
  ],
  [
    'each of two saw the other',
    [beside(at(1, append(0, 1), read(1, 2))), beside(at(1, append(1, 2), read(0, 1)))],
    [[1], [2]],
    { cycles: 1 },
  ],
])('%s', (_, events, lists, problems) => {
  expect(found(events, ...lists)).toEqual({ ...NOTHING, ...problems });
});
