import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../../../tests/support/until.ts';
import { type BotWorld, createBotWorld } from '../../../../../../tests/support/world/bot-world.ts';

const PEOPLE = 1_000;

let world: BotWorld;
beforeAll(async () => {
  world = await createBotWorld({ hasLimits: false });
});
afterAll(() => world?.close());

test('a thousand people within a minute each get exactly their answers', { timeout: 120_000 }, async () => {
  const people = Array.from({ length: PEOPLE }, () => world.person());
  for (const person of people) person.write('/start');
  const begunAt = performance.now();
  world.startWorker({ perSecond: 1_000 });
  world.startWorker({ perSecond: 1_000 });
  await until(async () => people.every((person) => person.received().length === 1));
  for (const person of people) person.press('prices');
  await until(async () => people.every((person) => person.received().length === 2));
  expect(performance.now() - begunAt).toBeLessThan(60_000);
  await sleep(300);
  for (const person of people) {
    const [welcome, prices] = person.received();
    expect(person.received()).toHaveLength(2);
    expect(welcome?.text).toContain('Welcome to');
    expect(prices?.text).toBe('Choose a plan:');
  }
});
