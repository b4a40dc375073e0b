import { expect, test } from 'vitest';
import { contract } from '../index.ts';

const { body } = contract['POST /api/exports'];
const wrong = (given: object) =>
  body
    .safeParse(given)
    .error?.issues.map(({ path, ...issue }) => [
      [...path, ...('keys' in issue ? issue.keys : [])].join('.'),
      issue.code,
    ]);

test('an export is asked for with the parameters of its own call, and no others', () => {
  expect(wrong({ list: 'traders' })).toBeUndefined();
  expect(wrong({ list: 'traders', query: { tab: 'inbox', below_minimum_balance: 'true' } })).toBeUndefined();
  expect(wrong({ list: 'traders', query: { tab: 'outbox' } })).toEqual([['query.tab', 'invalid_value']]);
  expect(wrong({ list: 'traders', query: { limit: '5' } })).toEqual([['query.limit', 'unrecognized_keys']]);
  expect(wrong({ list: 'audit', query: { from: 'yesterday' } })?.map(([path]) => path)).toEqual([
    'query.from',
  ]);
  expect(wrong({ list: 'traders', params: { id: 'x' } })).toEqual([['params.id', 'unrecognized_keys']]);
  expect(wrong({ list: 'closed_positions' })).toEqual([['params.id', 'invalid_type']]);
  expect(wrong({ list: 'closed_positions', params: { id: crypto.randomUUID() } })).toBeUndefined();
  expect(wrong({ list: 'people' })).toEqual([['list', 'invalid_value']]);
});
