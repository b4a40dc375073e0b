import { expect, test } from 'vitest';
import { describeArchive } from './repository.ts';

const segment = (name: string) => [{ max: '0000000100000000000000FF' }, { max: name }];
const MB = 1024 * 1024;

test('the archive is described by how much of the log is missing', () => {
  const backup = [{ label: '20260301-032000F', timestamp: { stop: 1_772_335_200 } }];
  // Segment 2 of the second 4 GB ends 48 MB into them.
  const archive = segment('000000020000000100000002');
  const ends = 4_096 * MB + 48 * MB;
  expect(describeArchive({ archive, backup }, ends + 5 * MB)).toBe(
    'log up to 000000020000000100000002  the present segment is missing  last backup 2026-03-01T03:20:00.000Z',
  );
  expect(describeArchive({ archive, backup }, ends + 40 * MB)).toContain('3 segments behind');
  expect(describeArchive({ archive, backup: [] }, null)).toBe(
    'log up to 000000020000000100000002  no backup',
  );
  expect(describeArchive({ archive: [], backup: [] }, ends)).toBe('no log  no backup');
});
