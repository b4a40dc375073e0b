import { expect, test } from 'vitest';
import { markDatabaseError } from '../db/connection/outage.ts';
import { createLogTo } from './log.ts';
import { withLogFields } from './log-context.ts';

function begin() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogTo({ write: (line) => void lines.push(JSON.parse(line)) }, 'info', 'test');
  return { log, lines, text: () => JSON.stringify(lines) };
}

test('every line of a piece of work has its fields, as they are when it is written', async () => {
  const { log, lines } = begin();
  let userId: string | undefined;
  await withLogFields(
    () => ({ requestId: 'r-1', ...(userId ? { userId } : {}) }),
    async () => {
      log.info('before');
      await new Promise((resolve) => setImmediate(resolve));
      userId = 'u-1';
      log.child({ part: 1 }).info({ code: 'x' }, 'after');
    },
  );
  log.info('outside');
  expect(lines).toMatchObject([
    { requestId: 'r-1', msg: 'before' },
    { requestId: 'r-1', userId: 'u-1', part: 1, code: 'x', msg: 'after' },
    { msg: 'outside' },
  ]);
  expect(lines[2]).not.toHaveProperty('requestId');
});

test.each([
  [
    'a copy of an error',
    { ...new Error('lost'), message: 'queue is gone', stack: 'at queue' },
    'queue is gone',
  ],
  ['an object', { reason: { deep: 1 } }, undefined],
  ['a text', 'a text', 'a text'],
  ['attempts to connect', new AggregateError([new Error('connect ECONNREFUSED')]), 'connect ECONNREFUSED'],
  ['an error', new TypeError('no'), 'no'],
])('%s is described, and never as [object Object]', (_, thrown, message) => {
  const { log, lines, text } = begin();
  log.warn({ err: thrown }, 'failed');
  expect(lines).toHaveLength(1);
  const [line] = lines as { err: { message?: string } }[];
  expect(line?.err.message).toBe(message);
  expect(text()).not.toContain('[object Object]');
});

test('only failures of the database are gathered: other services fail with the same codes', () => {
  const { log, lines } = begin();
  const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  for (let n = 0; n < 3; n++) log.warn({ err: refused() }, 'an exchange failed');
  expect(lines.map(({ msg }) => msg)).toEqual(Array(3).fill('an exchange failed'));
  for (let n = 0; n < 3; n++) log.warn({ err: markDatabaseError(refused()) }, 'a turn of work failed');
  expect(lines.slice(3).map(({ msg }) => msg)).toEqual(['no connection to the database']);
});

test('an error that names a hundred addresses leaves its beginning and its end', () => {
  const { log, lines, text } = begin();
  const calls = Array.from({ length: 100 }, (_, n) => `balanceOf(0x${String(n).padStart(40, '0')})`).join(
    '\n',
  );
  log.error(
    { err: new Error(`The call failed.\n${calls}${calls}\nDetails: fetch failed`) },
    'a turn of work failed',
  );
  const [{ err: logged } = {}] = lines;
  const { message, stack } = logged as { message: string; stack: string };
  expect(message).toMatch(/^The call failed\..+ \[\d+ characters\] .+Details: fetch failed$/s);
  expect(stack).toContain('log.unit.test.ts');
  expect(text().length).toBeLessThan(9_000);
});
