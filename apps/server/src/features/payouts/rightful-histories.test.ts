import { expect, test, vi } from 'vitest';
import { HISTORIES_PATIENCE_MS, playHistories } from '../../../../../tests/support/rightful-histories.ts';

vi.setConfig({ testTimeout: HISTORIES_PATIENCE_MS });

test('nothing that people order rightly is refused without a way on', async () => {
  for await (const { name, acts, stuck } of playHistories())
    expect(stuck, `history ${name}:\n${acts.join('\n')}`).toEqual([]);
});
