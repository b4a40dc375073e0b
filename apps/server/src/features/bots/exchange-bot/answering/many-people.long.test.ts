import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../../../../tests/support/until.ts';
import { type BotWorld, createBotWorld } from '../../../../../../../tests/support/world/bot-world.ts';

const PEOPLE = 1_000;
/** Patience, not a measure: it takes 8 seconds on two idle cores. */
const PATIENCE_MS = 600_000;

let world: BotWorld;
beforeAll(async () => {
  world = await createBotWorld({ hasLimits: false });
});
afterAll(() => world?.close());

test('a thousand people who write at once each get exactly their answers', { timeout: 600_000 }, async () => {
  const people = Array.from({ length: PEOPLE }, () => world.person());
  for (const person of people) person.write('/start');
  world.startWorker({ perSecond: 1_000 });
  world.startWorker({ perSecond: 1_000 });
  await until(async () => people.every((person) => person.received().length === 1), PATIENCE_MS);
  for (const person of people) person.press('prices');
  await until(async () => people.every((person) => person.received().length === 2), PATIENCE_MS);
  await sleep(300);
  for (const person of people) {
    const [welcome, prices] = person.received();
    expect(person.received()).toHaveLength(2);
    expect(welcome?.text).toContain('Welcome to');
    expect(prices?.text).toBe('Choose a plan:');
  }
});
