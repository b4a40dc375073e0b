import { expect, test } from 'vitest';
import type { Session } from '../venue.ts';
import { createContractFacts } from './contract-facts.ts';

function setUp() {
  let nowMs = 1_000_000;
  let loads = 0;
  let listed = new Map([['BTC', 1]]);
  let isDown = false;
  const session = { now: () => nowMs } as Session;
  const facts = createContractFacts(async () => {
    loads += 1;
    if (isDown) throw new Error('down');
    return listed;
  });
  return {
    find: (symbol: string) => facts.find(session, symbol),
    loads: () => loads,
    wait: (ms: number) => {
      nowMs += ms;
    },
    list: (symbols: [string, number][]) => {
      listed = new Map(symbols);
    },
    setDown: (down: boolean) => {
      isDown = down;
    },
  };
}

test('facts are read once for all, and again after 12 hours', async () => {
  const { find, loads, wait } = setUp();
  expect(await Promise.all([find('BTC'), find('BTC')])).toEqual([1, 1]);
  wait(12 * 3_600_000 - 1);
  await find('BTC');
  expect(loads()).toBe(1);
  wait(1);
  await find('BTC');
  expect(loads()).toBe(2);
});

test('a read that failed is not kept', async () => {
  const { find, setDown } = setUp();
  setDown(true);
  await expect(find('BTC')).rejects.toThrow('down');
  setDown(false);
  expect(await find('BTC')).toBe(1);
});

test('an unknown contract may be new: the list is read again once a minute', async () => {
  const { find, list, loads, wait } = setUp();
  await find('BTC');
  list([['NEW', 2]]);
  expect(await find('NEW')).toBeUndefined();
  wait(60_000);
  expect(await find('NEW')).toBe(2);
  expect(await find('OTHER')).toBeUndefined();
  expect(loads()).toBe(2);
});
