import { expect, test } from 'vitest';
import { holdPage } from './held-page.ts';
import { groupCase } from './invoice-cases.ts';

const [a, b, c] = [groupCase('A'), groupCase('B'), groupCase('C')];

test('the same groups in the same order show current figures', () => {
  const paid = groupCase('B', { is_paid: true });
  expect(holdPage([a, b], [a, paid])).toEqual({ rows: [a, paid], isOutdated: false });
});

test('other groups or another order are flagged; the shown ones stay and are updated', () => {
  const paid = groupCase('A', { is_paid: true });
  expect(holdPage([a, b], [b, paid])).toEqual({ rows: [paid, b], isOutdated: true });
  expect(holdPage([a, b], [c, paid])).toEqual({ rows: [paid, b], isOutdated: true });
  expect(holdPage([a], [a, b])).toEqual({ rows: [a], isOutdated: true });
});

test('a group in the archive is another one than that of the same trader outside', () => {
  const archived = groupCase('A', { is_archived: true });
  expect(holdPage([a], [archived])).toEqual({ rows: [a], isOutdated: true });
});
