import { expect, test } from 'vitest';
import { createRangeSize } from './range-size.ts';

const MOST = 500n;
const HOUR_MS = 3_600_000;

/** Asks a server with a limit for ranges. @returns the widths that it answered */
function ask(size: ReturnType<typeof createRangeSize>, limit: bigint, times: number): bigint[] {
  const answered: bigint[] = [];
  for (let n = 0; n < times; n++) {
    const blocks = size.blocks();
    if (blocks > limit) size.noteRefusal(blocks);
    else {
      size.noteAnswer(blocks);
      answered.push(blocks);
    }
  }
  return answered;
}

test('halves until the server answers, then approaches its limit and stays below it', () => {
  const size = createRangeSize(MOST, () => 0);
  expect(ask(size, 100n, 4)).toEqual([62n]);
  const widths = ask(size, 100n, 200);
  expect(widths.every((width) => width >= 62n && width <= 100n)).toBe(true);
  expect(widths.length).toBeGreaterThan(195);
  expect(widths.at(-1)).toBeGreaterThan(95n);
});

test('tries the configured width again after an hour', () => {
  let at = 0;
  const size = createRangeSize(MOST, () => at);
  ask(size, 100n, 100);
  ask(size, MOST, 200);
  expect(size.blocks()).toBeLessThan(MOST);
  at = HOUR_MS;
  ask(size, MOST, 200);
  expect(size.blocks()).toBe(MOST);
});

test('a refusal of a single block leaves nothing to try', () => {
  const size = createRangeSize(1n, () => 0);
  expect(size.noteRefusal(1n)).toBe(false);
});
