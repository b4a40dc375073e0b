import { expect, test } from 'vitest';
import { isSameView, queryOf, searchOf } from './view-query.ts';

test('a view keeps filters, order and size, neither the page nor the open invoice', () => {
  const query = queryOf({ tab: 'unpaid', rows: '50', page: '3', invoice: 'x', search: 'käit 1' });
  expect(query).toBe('tab=unpaid&rows=50&search=k%C3%A4it+1');
  expect(query).toMatch(/^[\x20-\x7e]*$/);
});

test('applying a view sets its parameters and clears the others, except the open invoice', () => {
  const search = searchOf('tab=unpaid&rows=50&overdue=maybe&invoice=1');
  expect(search).toMatchObject({ tab: 'unpaid', rows: '50', overdue: undefined, page: undefined });
  expect('exchange' in search).toBe(true);
  expect('invoice' in search).toBe(false);
});

test('the order of parameters makes no difference to a view', () => {
  expect(isSameView('tab=paid&rows=50', 'rows=50&tab=paid')).toBe(true);
  expect(isSameView('tab=paid', '')).toBe(false);
});
