import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readCursor, writeCursor } from './cursor.ts';
import { splitFullPage } from './full-page.ts';
import { afterWindow, firstWindow, type TimeRange } from './windows.ts';

test('windows cover every instant of a range exactly once', () => {
  const sizes = {
    since: fc.nat(1_000),
    length: fc.integer({ min: -5, max: 5_000 }),
    size: fc.integer({ min: 1, max: 700 }),
  };
  fc.assert(
    fc.property(fc.record(sizes), ({ since, length, size }) => {
      const range: TimeRange = { sinceMs: since, untilMs: since + length };
      const windows: TimeRange[] = [];
      let rest = range;
      for (let window = firstWindow(rest, size); window; window = firstWindow(rest, size)) {
        windows.push(window);
        rest = afterWindow(rest, window);
      }
      let expected = range.sinceMs;
      for (const { sinceMs, untilMs } of windows) {
        expect(sinceMs).toBe(expected);
        expect(untilMs - sinceMs).toBeLessThan(size);
        expected = untilMs + 1;
      }
      expect(expected).toBe(Math.max(range.sinceMs, range.untilMs + 1));
    }),
  );
});

/** Walks rows in a venue's pages by time, and returns the rows seen. */
function walk(times: number[], pageSize: number, step: 1 | -1): number[] {
  const rows = times.map((time, id) => ({ time, id })).sort((a, b) => step * (a.time - b.time));
  const seen: number[] = [];
  let from = step === 1 ? 0 : 1_000;
  for (;;) {
    const page = rows.filter(({ time }) => (step === 1 ? time >= from : time <= from)).slice(0, pageSize);
    if (page.length < pageSize) return [...seen, ...page.map(({ id }) => id)];
    const split = splitFullPage(page, ({ time }) => time, step);
    seen.push(...split.rows.map(({ id }) => id));
    from = split.nextMs;
  }
}

test.each([1, -1] as const)(
  'rows of one ms at the edge of a page are neither lost nor doubled, step %i',
  (step) => {
    // At most 9 rows share a ms, fewer than fit in a page.
    const rows = fc.array(fc.record({ time: fc.nat(40), copies: fc.integer({ min: 1, max: 9 }) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(rows, fc.integer({ min: 10, max: 25 }), (list, pageSize) => {
        const unique = new Map(list.map(({ time, copies }) => [time, copies]));
        const times = [...unique].flatMap(([time, copies]) => Array<number>(copies).fill(time));
        expect(walk(times, pageSize, step).sort((a, b) => a - b)).toEqual(times.map((_, id) => id));
      }),
    );
  },
);

test('a page of one single ms is taken as it is, and the walk ends', () => {
  expect(walk(Array<number>(25).fill(7), 10, 1)).toHaveLength(10);
  expect(walk(Array<number>(10).fill(7), 10, -1)).toHaveLength(10);
});

test('a cursor is read back, and any other text is refused', () => {
  const schema = z.object({ from: z.number() });
  expect(readCursor(schema, writeCursor({ from: 7 }))).toEqual({ from: 7 });
  for (const text of ['', 'x', '{"from":7}', writeCursor({ from: 'a' }), writeCursor(null)])
    expect(() => readCursor(schema, text)).toThrow('unsupported');
});
