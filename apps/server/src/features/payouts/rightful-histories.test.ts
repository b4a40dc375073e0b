import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHistoryWorld, playHistories } from '../../../../../tests/support/rightful-histories.ts';

// Patience, not a measure: a history is some fifty calls, a second of a busy machine.
vi.setConfig({ testTimeout: 300_000 + 10_000 * Number(process.env.HISTORIES ?? 0), hookTimeout: 60_000 });

let world: Awaited<ReturnType<typeof createHistoryWorld>>;
beforeAll(async () => {
  world = await createHistoryWorld();
});
afterAll(() => world?.close());

test('nothing that people order rightly is refused without a way on', async () => {
  for await (const { name, acts, stuck } of playHistories(world))
    expect(stuck, `history ${name}:\n${acts.join('\n')}`).toEqual([]);
});
