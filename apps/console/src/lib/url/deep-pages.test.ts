import { expect, test } from 'vitest';
import { createDeepPages } from './deep-pages.ts';
import type { DeepPaging } from './deep-paging.ts';
import { readDeepRows } from './read-rows.ts';

const NEVER = new AbortController().signal;

/** A list of numbers in order, paged like the server's: by offset to 10,000, beyond by cursor. */
function serverOf(count: number) {
  const asked: DeepPaging[] = [];
  const list = { count };
  const read = async (paging: DeepPaging) => {
    asked.push(paging);
    if (Number(paging.offset) > 10_000) throw new Error('too deep');
    const up = Array.from({ length: list.count }, (_, at) => at);
    const rows = paging.orderDir === 'asc' ? up : up.reverse();
    const start = (paging.cursor ? rows.indexOf(Number(paging.cursor)) + 1 : 0) + Number(paging.offset);
    const data = rows.slice(start, start + Number(paging.limit));
    const isFull = data.length === Number(paging.limit);
    return { data, meta: { total: list.count, next_cursor: isFull ? String(data.at(-1)) : null } };
  };
  return { asked, list, read };
}

const wanted = (read: ReturnType<typeof serverOf>['read'], first: number, rows = 20) => ({
  list: 'numbers',
  first,
  rows,
  direction: 'asc' as const,
  read,
  signal: NEVER,
});
const numbers = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);

const DEEP = [10_020, 19_990, 20_000, 47_115, 52_000, 89_980, 90_000, 99_960, 99_980];
test.each([0, 20, 9_990, 10_000, ...DEEP])('rows from %i on', async (first) => {
  const { read } = serverOf(100_000);
  expect((await readDeepRows(wanted(read, first))).data).toEqual(numbers(first, 20));
  if (first > 10_000) expect((await createDeepPages()(wanted(read, first))).data).toEqual(numbers(first, 20));
});

test('the count that a page near the start had is not asked for again', async () => {
  const { read, asked } = serverOf(100_000);
  const list = 'a list that is read for the first time';
  await readDeepRows({ ...wanted(read, 0), list });
  await readDeepRows({ ...wanted(read, 99_980), list });
  expect(asked.map(({ offset, orderDir }) => `${offset} ${orderDir}`)).toEqual(['0 asc', '0 desc']);
});

test('the last page is read from the end, and is as long as the rest', async () => {
  const { read, asked } = serverOf(100_007);
  expect((await createDeepPages()(wanted(read, 100_000))).data).toEqual(numbers(100_000, 7));
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, undefined]);
});

test('behind the end there is nothing but the count', async () => {
  const { read } = serverOf(30_000);
  const page = await createDeepPages()(wanted(read, 30_000));
  expect(page).toMatchObject({ data: [], meta: { total: 30_000 } });
});

test('the cursors to a position are found once, for concurrent pages too, and dropped after a minute', async () => {
  let now = 0;
  const { read, asked } = serverOf(100_000);
  const readRows = createDeepPages(() => now);
  await Promise.all([readRows(wanted(read, 30_000)), readRows(wanted(read, 30_020))]);
  const steps = () => asked.filter(({ limit, offset }) => limit === '1' && offset === '9999').length;
  expect(steps()).toBe(3);
  await readRows(wanted(read, 30_040));
  expect(steps()).toBe(3);
  now = 60_000;
  await readRows(wanted(read, 30_040));
  expect(steps()).toBe(6);
});

test('an outdated count is read again before rows appear at a wrong place', async () => {
  const server = serverOf(100_000);
  const readRows = createDeepPages();
  server.list.count = 100_030;
  expect((await readRows(wanted(server.read, 99_980), 100_000)).data).toEqual(numbers(99_980, 20));
});

test('failed cursors are looked for again', async () => {
  const { read } = serverOf(100_000);
  const readRows = createDeepPages();
  let failures = 1;
  const failing = async (paging: DeepPaging) => {
    if (paging.offset === '9999' && failures-- > 0) throw new Error('503');
    return read(paging);
  };
  await expect(readRows(wanted(failing, 20_000))).rejects.toThrow('503');
  expect((await readRows(wanted(failing, 20_000))).data).toEqual(numbers(20_000, 20));
});
