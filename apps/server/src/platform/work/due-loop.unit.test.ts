import { expect, onTestFinished, test, vi } from 'vitest';
import { startDueLoop } from './due-loop.ts';

test('a lease is renewed once at a time, however long a renewal takes', async () => {
  const ends: (() => void)[] = [];
  let endWork = () => {};
  const rows = ['row'];
  const renew = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const loop = startDueLoop<string>({
    name: 'test',
    everyMs: 60_000,
    log: { warn: vi.fn(), error: vi.fn() } as never,
    claim: async () => ({ rows: rows.splice(0) }),
    work: () =>
      new Promise((resolve) => {
        endWork = resolve;
      }),
    keep: { everyMs: 5, renew },
    describe: (row) => ({ row }),
  });
  onTestFinished(async () => {
    endWork();
    await loop.stop();
  });
  await expect.poll(() => renew.mock.calls.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(renew).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await expect.poll(() => renew.mock.calls.length).toBe(2);
});
