import { expect, test } from 'vitest';
import { plainMessage, retryDelayMs } from './index.ts';

const MINUTE = 60_000;

test('delays grow from seconds to five minutes, and a message is given up after a day of them, not before', () => {
  const delays: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const delay = retryDelayMs(attempts);
    if (delay === null) break;
    delays.push(delay);
  }
  expect(delays.slice(0, 3)).toEqual([2_000, 4_000, 8_000]);
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(Math.max(...delays)).toBe(5 * MINUTE);
  const waitedMs = delays.reduce((sum, delay) => sum + delay, 0);
  expect(waitedMs).toBeGreaterThanOrEqual(24 * 60 * MINUTE);
  expect(waitedMs).toBeLessThan(24 * 60 * MINUTE + 10 * MINUTE);
});

test.each([
  ['<b>Due</b>: <code>0xab</code>', 'Due: 0xab'],
  ['<a href="https://x.example?a=1&amp;b=2">Report</a>', 'Report'],
  ['1 &lt; 2 &amp;amp; 3', '1 < 2 &amp; 3'],
  ['a < b > c', 'a < b > c'],
])('%j reads %j', (text, plain) => {
  expect(plainMessage(text)).toBe(plain);
});
