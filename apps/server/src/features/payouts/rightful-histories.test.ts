import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHistoryWorld, playHistory } from '../../../../../tests/support/rightful-histories.ts';

// Patience, not a measure: a history is some fifty calls.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const count = Number(process.env.HISTORIES ?? 8);
const seed = process.env.HISTORIES_SEED ?? String(randomInt(1_000_000));

let world: Awaited<ReturnType<typeof createHistoryWorld>>;
beforeAll(async () => {
  world = await createHistoryWorld();
});
afterAll(() => world?.close());

test('nothing that people order rightly is refused without a way on', async () => {
  console.log(`${count} histories, HISTORIES_SEED=${seed}`);
  for (let nth = 0; nth < count; nth += 1) {
    const { acts, stuck } = await playHistory(world, `${seed}.${nth}`);
    expect(stuck, `history ${nth}:\n${acts.join('\n')}`).toEqual([]);
  }
});
