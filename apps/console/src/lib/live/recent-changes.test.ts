import { expect, test } from 'vitest';
import type { StreamNews } from './change-stream.ts';
import { createRecentChanges, RESET } from './recent-changes.ts';

const changeAt = (position: bigint, id = String(position)): StreamNews => ({
  kind: 'change',
  change: { topic: 'payout', id, trader_id: null, at: '' },
  position,
});
const everything = [{ kind: 'change', change: RESET, position: null }];

test('a tab that joins gets what it has not seen, those at its own position included', () => {
  const recent = createRecentChanges();
  recent.begin(10n);
  const changes = [10n, 12n, 12n, 15n].map((position, n) => changeAt(position, String(n)));
  for (const change of changes) recent.note(change);
  expect(recent.since(10n)).toEqual(changes);
  expect(recent.since(12n)).toEqual(changes.slice(1));
  expect(recent.since(16n)).toEqual([]);
  // It read nothing yet.
  expect(recent.since(null)).toEqual([]);
});

test('a tab that read before all that is kept reads everything again', () => {
  const recent = createRecentChanges();
  recent.begin(10n);
  expect(recent.since(9n)).toEqual(everything);
  for (let position = 11n; position < 400n; position++) recent.note(changeAt(position));
  expect(recent.since(11n)).toEqual(everything);
  expect(recent.since(99n)).toEqual(everything);
  expect(recent.since(100n)).toHaveLength(300);
});

test('after a gap nothing older is known; a stream that is resumed has told what was missed', () => {
  const recent = createRecentChanges();
  recent.begin('gap');
  expect(recent.since(20n)).toEqual(everything);
  recent.note(changeAt(20n));
  // Others may have come at 20 before this stream began.
  expect(recent.since(20n)).toEqual(everything);
  expect(recent.since(21n)).toEqual([]);

  recent.note({ kind: 'cut' });
  recent.note({ kind: 'open', hadGap: true, isResumed: true, logPosition: null });
  recent.note(changeAt(25n));
  expect(recent.since(21n)).toEqual([changeAt(25n)]);
  recent.note({ kind: 'open', hadGap: true, isResumed: false, logPosition: null });
  expect(recent.since(25n)).toEqual(everything);
});
