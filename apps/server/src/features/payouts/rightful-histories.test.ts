import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHistoryWorld, playHistories } from '../../../../../tests/support/rightful-histories.ts';

// Patience, not a measure: a history is some fifty calls.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

let world: Awaited<ReturnType<typeof createHistoryWorld>>;
beforeAll(async () => {
  world = await createHistoryWorld();
});
afterAll(() => world?.close());

test('nothing that people order rightly is refused without a way on', async () => {
  for await (const { name, acts, stuck } of playHistories(world))
    expect(stuck, `history ${name}:\n${acts.join('\n')}`).toEqual([]);
});
