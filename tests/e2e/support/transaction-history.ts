import type { CallAnswer, CallInput } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import type { Page } from '@playwright/test';
import type { Api } from './api.ts';

export type Payouts = CallAnswer<'GET /api/sweep-operations/admin/all'>;
export type Payout = Payouts['data'][number];

/** The parts of the Transaction History screen by the names that a person reads or hears. */
export function transactionHistory(page: Page) {
  const table = page.getByRole('grid', { name: 'Payouts' });
  const totals = page.getByRole('region', { name: 'Totals by recipient type' });
  return {
    table,
    rows: table.locator('tbody tr'),
    column: (name: string) => table.getByRole('columnheader', { name, exact: true }),
    sortBy: (name: string) =>
      table.getByRole('columnheader', { name, exact: true }).getByRole('button').click(),
    totals,
    totalOf: (type: string) => totals.getByRole('button', { name: new RegExp(`^${type}\\b`) }),
    tip: page.getByRole('tooltip'),
    searchBox: page.getByRole('searchbox', { name: 'Search this page' }),
    /** Not the button of the same name that sorts. */
    filter: (name: string) =>
      page.getByRole('button', { name, exact: true }).and(page.locator('[aria-haspopup]')),
    pages: page.getByRole('navigation', { name: 'Pages' }),
    panel: (id: string) => page.getByRole('complementary', { name: `Payout ${shortId(id)}` }),
    toast: (title: string) => page.getByRole('listitem').filter({ hasText: title }),
  };
}

export function listPayouts(
  api: Api,
  query: CallInput<'GET /api/sweep-operations/admin/all'>['query'] = {},
): Promise<Payouts> {
  return api.call('GET /api/sweep-operations/admin/all', { query: { limit: '20', ...query } });
}
