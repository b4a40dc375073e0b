import { expect, test } from 'vitest';
import { throttle } from './throttle.ts';

function clockByHand() {
  const tasks: { at: number; task: () => void }[] = [];
  let now = 0;
  return {
    schedule: (task: () => void, ms: number) => tasks.push({ at: now + ms, task }),
    pass(ms: number) {
      now += ms;
      for (const due of tasks.filter(({ at }) => at <= now)) {
        tasks.splice(tasks.indexOf(due), 1);
        due.task();
      }
    },
  };
}

test('runs at once, and for further calls once per interval', () => {
  const clock = clockByHand();
  let runs = 0;
  const ask = throttle(() => runs++, 2_000, clock.schedule);
  ask();
  expect(runs).toBe(1);
  ask();
  ask();
  clock.pass(1_999);
  expect(runs).toBe(1);
  clock.pass(1);
  expect(runs).toBe(2);
  clock.pass(2_000);
  expect(runs).toBe(2);
  ask();
  expect(runs).toBe(3);
});
