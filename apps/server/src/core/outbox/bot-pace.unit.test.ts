import { expect, test } from 'vitest';
import { createBotPace } from './bot-pace.ts';

function paceAt(perSecond = 25, atOnce = 16) {
  let at = 1_000_000;
  const pace = createBotPace({ perSecond, atOnce, now: () => at });
  return { pace, advance: (ms: number) => (at += ms), now: () => at };
}

test.each([1, 2, 3, 7, 25, 100])(
  'within any second no more than %i are begun, however they come',
  (perSecond) => {
    const { pace, advance, now } = paceAt(perSecond, 1_000);
    const begun: number[] = [];
    for (let step = 0; step < 2_000; step += 1) {
      const count = pace.room(0);
      pace.began(count);
      begun.push(...Array.from({ length: count }, now));
      advance(step % 7 === 0 ? 113 : 9);
    }
    for (const from of begun)
      expect(begun.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(perSecond);
    const seconds = (now() - 1_000_000) / 1_000;
    // Occasional requests miss only a part of the available rate.
    expect(begun.length).toBeGreaterThan(0.6 * perSecond * (seconds - 2));
  },
);

test('messages in progress take slots, and a pause takes all of them', () => {
  const { pace, advance } = paceAt();
  expect(pace.room(0)).toBe(5);
  expect(pace.room(14)).toBe(2);
  pace.pause(7_000);
  expect([pace.room(0), pace.waitMs()]).toEqual([0, 7_000]);
  advance(6_999);
  expect(pace.room(0)).toBe(0);
  advance(1);
  expect([pace.room(0), pace.waitMs()]).toEqual([5, 0]);
});

test('without answers, attempts become rarer, one message at a time, until an answer arrives', () => {
  const { pace, advance } = paceAt();
  const waits: number[] = [];
  for (let nth = 0; nth < 8; nth += 1) {
    pace.unanswered();
    pace.unanswered(); // another one in progress
    waits.push(pace.waitMs());
    advance(pace.waitMs());
    expect(pace.room(0)).toBe(1);
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  pace.answered();
  expect(pace.room(0)).toBe(5);
});

test('two loops of one bot do not use the same slots, and what one did not need the other has', async () => {
  const { pace } = paceAt();
  const slots = pace.room(0);
  let end = () => {};
  const first = pace.within(slots, async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return { count: 1 };
  });
  expect(pace.room(0)).toBe(0);
  end();
  await first;
  pace.began(-1);
  expect(pace.room(0)).toBe(slots);
  await expect(pace.within(slots, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(pace.room(0)).toBe(slots);
});
