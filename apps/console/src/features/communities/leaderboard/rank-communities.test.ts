import { expect, test } from 'vitest';
import { rankCommunities } from './rank-communities.ts';

const community = (name: string, total_aum: string, is_archived = false) => ({
  id: name,
  name,
  is_archived,
  created_at: '2026-01-01T00:00:00.000Z',
  total_aum,
  trader_count: 1,
});

test('archived communities have no place', () => {
  const ranked = rankCommunities([
    community('a', '200'),
    community('b', '50'),
    community('old', '900', true),
  ]);
  expect(ranked.map(({ name, rank, width }) => [name, rank, width])).toEqual([
    ['a', 1, 100],
    ['b', 2, 25],
  ]);
});

test('without any AUM there is nothing to measure by', () => {
  expect(rankCommunities([community('a', '0')])[0]?.width).toBe(0);
});
