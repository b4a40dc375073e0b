import { expect, test } from 'vitest';
import { nextSort } from './sorting.ts';

test('the sorted column reverses, a new one starts descending', () => {
  const byAum = { column: 'aum', direction: 'desc' } as const;
  const turned = nextSort<'aum' | 'name'>(byAum, 'aum');
  expect(turned).toEqual({ column: 'aum', direction: 'asc' });
  expect(nextSort(turned, 'aum')).toEqual(byAum);
  expect(nextSort(turned, 'name')).toEqual({ column: 'name', direction: 'desc' });
});
