import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mountSmallDisk } from '../../../../../tests/support/small-disk.ts';
import { readLastHead, recordHead } from './head-file.ts';

const head = (sequence: number) => ({
  at: '2026-01-01T00:00:00.000Z',
  chain: 'a'.repeat(64),
  sequence: String(sequence),
  hash: 'b'.repeat(64),
});

test('a head that finds no room is passed over, and the next one is read', async (context) => {
  const disk = mountSmallDisk();
  if (disk === null) return context.skip('a small disk cannot be mounted');
  const path = join(disk.folder, 'audit-heads.jsonl');
  // Until a page of the disk is nearly full, so that a part of the next line would fit.
  for (let sequence = 1; sequence <= 20; sequence++) await recordHead(path, head(sequence));
  disk.fill();
  await expect(recordHead(path, head(21))).rejects.toMatchObject({ code: 'ENOSPC' });
  expect((await readLastHead(path))?.sequence).toBe('20');
  disk.empty();
  await recordHead(path, head(21));
  expect((await readLastHead(path))?.sequence).toBe('21');
});
