import type { CallAnswer, CallInput } from '@copydesk/contract';
import type { Page } from '@playwright/test';
import type { Api } from './api.ts';

type Query = CallInput<'GET /api/traders'>['query'];
export type Traders = CallAnswer<'GET /api/traders'>;
export type Trader = Traders['data'][number];

/** The parts of the Traders list by the names that a person reads or hears. */
export function tradersList(page: Page) {
  const grid = page.getByRole('grid', { name: 'Traders' });
  return {
    grid,
    /** The row at an index of the whole list; only rows in view and the active one are in the page. */
    row: (index: number) => grid.locator(`[aria-rowindex="${index + 2}"]`),
    rows: grid.locator('tbody tr:not([aria-busy])'),
    tab: (name: string) => page.getByRole('tab', { name }),
    column: (name: string) => grid.getByRole('columnheader', { name }),
    sortBy: (name: string) => grid.getByRole('columnheader', { name }).getByRole('button').click(),
    found: page.getByRole('status').filter({ hasText: /^([\d,]+ traders? found|Loading traders data...)$/ }),
    searchBox: page.getByRole('searchbox', { name: 'Search by reference number' }),
    openSearch: () => page.getByRole('button', { name: 'Search by reference number' }).click(),
    filter: (name: string) => page.getByRole('button', { name, exact: true }),
    totalAum: page.getByText('Total AUM', { exact: true }).locator('..').getByRole('definition'),
  };
}

/** What the API lists, as the list asks for it. */
export function listTraders(api: Api, query: Query): Promise<Traders> {
  return api.call('GET /api/traders', {
    query: { include_aum: 'true', include_exchanges: 'true', limit: '100', ...query },
  });
}

/** A trader that everything can be done to: it has a reference number and a username. */
export async function pickTrader(api: Api, query: Query): Promise<Trader & { reference_number: string }> {
  const { data } = await listTraders(api, query);
  const trader = data.find((candidate) => candidate.reference_number && candidate.telegram_username);
  if (!trader?.reference_number) throw new Error('The demo world has no such trader.');
  return { ...trader, reference_number: trader.reference_number };
}
