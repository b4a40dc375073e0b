import type { CallAnswer, CallInput } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import type { Page } from '@playwright/test';
import type { Api } from './api.ts';

export type Groups = CallAnswer<'GET /api/invoices/admin/groups'>;
export type Group = Groups['data'][number];
export type Invoice = CallAnswer<'GET /api/invoices/admin/all'>['data'][number];

/** The parts of the Invoices screen by the names that a person reads or hears. */
export function invoicesScreen(page: Page) {
  const table = page.getByRole('treegrid', { name: 'Invoices by reference number' });
  const line = (text: string | RegExp) => table.locator('tbody tr').filter({ hasText: text });
  return {
    table,
    tab: (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}\\b`) }),
    column: (name: string) => table.getByRole('columnheader', { name, exact: true }),
    sortBy: (name: string) =>
      table.getByRole('columnheader', { name, exact: true }).getByRole('button').click(),
    groups: table.locator('tbody tr[aria-level="1"]'),
    // A row that still loads opens nothing.
    invoices: table.locator('tbody tr[aria-level="2"]:not([aria-busy])'),
    group: (reference: string) => table.locator('tbody tr[aria-level="1"]').filter({ hasText: reference }),
    invoice: (id: string) => line(shortId(id)),
    found: page.getByRole('status').filter({ hasText: /^([\d,]+ groups? found|Loading invoices...)$/ }),
    searchBox: page.getByRole('searchbox', { name: 'Search by reference number' }),
    filter: (name: string) => page.getByRole('button', { name, exact: true }),
    menu: (of: string) => page.getByRole('button', { name: `Actions for ${of}` }),
    item: (name: string) => page.getByRole('menuitem', { name, exact: true }),
    dialog: page.getByRole('dialog'),
    bar: page.getByRole('region', { name: 'Selection' }),
    panel: (id: string) => page.getByRole('complementary', { name: `Invoice ${shortId(id)}` }),
    toast: (title: string) => page.getByRole('listitem').filter({ hasText: title }),
  };
}

export function listGroups(
  api: Api,
  query: CallInput<'GET /api/invoices/admin/groups'>['query'] = {},
): Promise<Groups> {
  return api.call('GET /api/invoices/admin/groups', { query: { limit: '10', ...query } });
}

/** The invoices of a group outside of the archive, the latest first. */
export async function invoicesOf(api: Api, reference_number: string): Promise<Invoice[]> {
  const query = { reference_number, limit: '1000' };
  return (await api.call('GET /api/invoices/admin/all', { query })).data;
}

/** A group with a trader that is as the test needs it. */
export async function pickGroup(api: Api, isWanted: (group: Group) => boolean): Promise<Group> {
  const { data } = await listGroups(api, { limit: '1000' });
  const found = data.find((group) => group.trader !== null && isWanted(group));
  if (!found) throw new Error('The demo world has no such group.');
  return found;
}

/** An invoice that is as the test needs it, of a trader with a reference number. */
export async function pickInvoice(
  api: Api,
  isWanted: (invoice: Invoice) => boolean,
): Promise<Invoice & { reference: string }> {
  const { data } = await api.call('GET /api/invoices/admin/all', { query: { limit: '5000' } });
  const found = data.find((invoice) => invoice.trader.reference_number !== null && isWanted(invoice));
  if (!found?.trader.reference_number) throw new Error('The demo world has no such invoice.');
  return { ...found, reference: found.trader.reference_number };
}

export const isUntouched = ({ status, paid_amount }: Invoice) => status === 'pending' && paid_amount === '0';

/** Puts invoices back: what a test has marked as paid by hand. */
export async function markUnpaid(api: Api, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await api.call('PATCH /api/invoices/{id}/status', {
      params: { id },
      idempotencyKey: null,
      body: { is_paid: false },
    });
}

export async function unarchive(api: Api, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await api.call('PATCH /api/invoices/{id}/archive', {
      params: { id },
      idempotencyKey: null,
      body: { is_archived: false },
    });
}
