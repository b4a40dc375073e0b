import { expect, test } from 'vitest';
import { GatewayError, type Priority, type ReadOptions } from '../gateway.ts';
import type { Lane } from '../limits/request-queue.ts';
import { createSharedAnswers } from './shared-answers.ts';

function setUp() {
  let nowMs = 1_000_000;
  const answers = createSharedAnswers(() => nowMs);
  let taken = 0;
  const urgent: string[] = [];
  return {
    answers,
    urgent,
    taken: () => taken,
    wait: (ms: number) => {
      nowMs += ms;
    },
    ask: (options: Partial<ReadOptions> = {}, take?: (lane: Lane) => Promise<unknown>, key = 'a\nequity') =>
      answers.read(
        {
          key,
          ttlMs: 30_000,
          options: { priority: 'interactive', ...options },
          onUrgent: () => urgent.push(key),
        },
        (lane) => {
          taken += 1;
          return take ? take(lane) : Promise.resolve(taken);
        },
      ),
  };
}

test('concurrent requests share one read', async () => {
  const { ask, taken } = setUp();
  expect(await Promise.all([ask(), ask(), ask({ maxAgeMs: 0 })])).toEqual([1, 1, 1]);
  expect(taken()).toBe(1);
});

test('an answer is used for 30 s, and shorter with a smaller maximum age', async () => {
  const { ask, wait } = setUp();
  await ask();
  wait(29_999);
  expect(await ask()).toBe(1);
  expect(await ask({ maxAgeMs: 29_999 })).toBe(2);
  expect(await ask({ maxAgeMs: 0 })).toBe(3);
  wait(30_000);
  expect(await ask({ maxAgeMs: 3_600_000 })).toBe(4);
});

test('a lasting refusal is repeated for 10 s, a temporary one is not', async () => {
  const { ask, taken, wait } = setUp();
  const refuse = (code: 'invalid_credentials' | 'timeout') => () => Promise.reject(new GatewayError(code));
  await expect(ask({ maxAgeMs: 0 }, refuse('invalid_credentials'))).rejects.toThrow('invalid_credentials');
  await expect(ask({ maxAgeMs: 0 })).rejects.toThrow('invalid_credentials');
  expect(taken()).toBe(1);
  wait(10_000);
  await expect(ask({}, refuse('timeout'))).rejects.toThrow('timeout');
  expect(await ask()).toBe(3);
});

test('a read of an account forgotten meanwhile is not reused', async () => {
  const { answers, ask } = setUp();
  const old = Promise.withResolvers<string>();
  const first = ask({}, () => old.promise);
  answers.forget((key) => key.startsWith('a\n'));
  expect(await ask()).toBe(2);
  old.resolve('old');
  expect(await first).toBe('old');
  expect(await ask()).toBe(2);
});

test('forgetting one account leaves the others alone', async () => {
  const { answers, ask, taken } = setUp();
  await ask();
  await ask({}, undefined, 'b\nequity');
  answers.forget((key) => key.startsWith('a\n'));
  await ask({}, undefined, 'b\nequity');
  expect(taken()).toBe(2);
});

test.each<[Priority, Priority, Priority, number]>([
  ['background', 'interactive', 'interactive', 1],
  ['background', 'background', 'background', 0],
  ['interactive', 'background', 'interactive', 0],
])('a %s read that a %s one joins is %s', async (first, second, is, times) => {
  const { ask, urgent } = setUp();
  const read = Promise.withResolvers<void>();
  let lane: Lane | undefined;
  const asked = [
    ask({ priority: first }, (given) => {
      lane = given;
      return read.promise;
    }),
    ask({ priority: second }),
  ];
  expect(lane?.priority).toBe(is);
  expect(urgent).toHaveLength(times);
  read.resolve();
  await Promise.all(asked);
});
