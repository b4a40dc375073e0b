import { expect, test } from 'vitest';
import { readPoolSearch } from './pool-search.ts';

test('parameters without sense are ignored', () => {
  expect(readPoolSearch({ members: '3', transactions: '2', pending: 'only' })).toEqual({
    members: '3',
    transactions: '2',
    pending: 'only',
  });
  expect(readPoolSearch({ members: '0', transactions: '-1', pending: 'yes' })).toEqual({});
  expect(readPoolSearch({ members: '1e3', transactions: ['2'] })).toEqual({});
});
