import { expect, test } from 'vitest';
import { deleteInBatches } from './delete-in-batches.ts';

test('a batch that another worker took most of is not the last one', async () => {
  const batches = [5_000, 143, 5_000, 0];
  expect(await deleteInBatches(async () => batches.shift() ?? 0)).toBe(10_143);
  expect(batches).toEqual([]);
});
