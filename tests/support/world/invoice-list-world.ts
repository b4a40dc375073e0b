import { send } from '../send.ts';
import { createTestApp } from '../test-app.ts';
import type { HandMadeGroup, ListedInvoice } from './listed-invoices.ts';
import { ownerOf } from './rows.ts';

export type Query = Record<string, string>;
export type Group = HandMadeGroup & { trader: { id: string } | null; is_archived: boolean; is_part: boolean };
interface Groups {
  data: Group[];
  meta: { total: number; counts: Record<string, number> };
}

export type InvoiceListWorld = Awaited<ReturnType<typeof createInvoiceListWorld>>;

/** The API over invoices of every kind, and three people who see all, some and one provider of them. */
export async function createInvoiceListWorld() {
  const product = await createTestApp({ scale: 0.2 });
  const tokens: Record<string, string> = {};
  for (const persona of ['super', 'staff', 'staff-multi'] as const)
    tokens[persona] = await product.signIn(persona);
  // Cases missing from the demo world: traders without a reference number or with an odd one, or with invoices of
  // several providers, invoices without a known provider, of a bot, overpaid, and of amounts that floating point would
  // round.
  const prepare = ownerOf(product.ownerUrl);
  await prepare(`UPDATE trader SET reference_number = NULL WHERE deposit_index % 7 = 0`);
  await prepare(`UPDATE trader SET reference_number = 'unknown' WHERE deposit_index = 1`);
  await prepare(
    `UPDATE trader SET reference_number = 'OddÄ_50%' || deposit_index WHERE deposit_index % 11 = 1`,
  );
  await prepare(`UPDATE invoice i SET provider_id = (SELECT provider_id FROM trader_provider s
    WHERE s.trader_id = i.trader_id ORDER BY hashtext(i.id::text || s.provider_id::text) LIMIT 1)`);
  await prepare(`UPDATE invoice SET provider_id = NULL WHERE abs(hashtext(id::text)) % 9 = 0`);
  await prepare(`UPDATE invoice SET invoice_type = 'exchange_bot' WHERE abs(hashtext(id::text)) % 8 = 1`);
  await prepare(`UPDATE invoice SET paid_units = amount_units + 1
    WHERE abs(hashtext(id::text)) % 10 = 2 AND status <> 'pending'`);
  await prepare(
    `UPDATE invoice SET amount_units = amount_units + 1, updated_at = now(),
       paid_units = paid_units + (settled_by IS NOT DISTINCT FROM 'chain')::int WHERE abs(hashtext(id::text)) % 5 = 3`,
  );
  // Groups that are neither paid nor unpaid: paid and cancelled invoices together, and shares settled elsewhere.
  await prepare(
    `UPDATE invoice SET status = 'cancelled', settled_by = NULL, paid_at = NULL FROM (SELECT id AS of FROM trader
       WHERE deposit_index % 5 = 2) t WHERE trader_id = t.of AND status = 'pending'`,
  );
  await prepare(
    `UPDATE invoice SET off_platform_units = least(amount_units, paid_units) / 2, off_platform_reason = 'not_on_chain'
     WHERE paid_units > 1 AND abs(hashtext(id::text)) % 7 = 3`,
  );

  const ask = (call: string, query: Query = {}, who = 'super', id = '') =>
    send(product.app, `GET ${call}`, { params: { id }, query }, tokens[who]);
  const listAll = async (query: Query, who = 'super'): Promise<ListedInvoice[]> =>
    (await ask('/api/invoices/admin/all', { limit: '10000', ...query }, who)).json().data;
  const groupsOf = async (query: Query, who = 'super'): Promise<Groups> =>
    (await ask('/api/invoices/admin/groups', { limit: '10000', ...query }, who)).json();
  const unknownTradersOf = async (query: Query, who = 'super'): Promise<Groups> =>
    (await ask('/api/invoices/admin/groups/unknown', { limit: '10000', ...query }, who)).json();
  const providersOf = async (who: string): Promise<string[]> => {
    const { data } = (await ask('/api/me', {}, who)).json();
    return data.providers.map((provider: { id: string }) => provider.id);
  };
  /** Every invoice, archived ones included, as super admins see it. */
  const all = await listAll({ include_archived: 'true' });
  return {
    ask,
    listAll,
    groupsOf,
    unknownTradersOf,
    providersOf,
    all,
    ownerUrl: product.ownerUrl,
    close: () => product.close(),
  };
}

export const ids = (invoices: readonly ListedInvoice[]) => invoices.map(({ id }) => id).sort();
