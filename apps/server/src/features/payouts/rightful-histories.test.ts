import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  createHistoryWorld,
  HISTORIES_PATIENCE_MS,
  playHistories,
} from '../../../../../tests/support/rightful-histories.ts';

vi.setConfig({ testTimeout: HISTORIES_PATIENCE_MS, hookTimeout: 60_000 });

let world: Awaited<ReturnType<typeof createHistoryWorld>>;
beforeAll(async () => {
  world = await createHistoryWorld();
});
afterAll(() => world?.close());

test('nothing that people order rightly is refused without a way on', async () => {
  for await (const { name, acts, stuck } of playHistories(world))
    expect(stuck, `history ${name}:\n${acts.join('\n')}`).toEqual([]);
});
