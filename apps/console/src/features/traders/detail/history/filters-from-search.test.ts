import { expect, test } from 'vitest';
import { historyFilters } from './filters-from-search.ts';

test('without a word in the URL it is the newest first, from the first page', () => {
  expect(historyFilters({})).toMatchObject({ page: 1, sort: { column: 'closed_at', direction: 'desc' } });
});
