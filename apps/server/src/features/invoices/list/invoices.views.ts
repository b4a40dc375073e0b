import type { SelectedRows } from '@copydesk/contract/exports';
import { type RawBuilder, sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { isAfter, keyColumns, orderBy as orderOf, type Reach } from '../../../platform/db/lists/keyset.ts';
import { type PageOfRows, readPage } from '../../../platform/db/lists/list-page.ts';
import { partsOfQuery } from '../../../platform/db/lists/list-query.ts';
import { usdt } from '../../../platform/db/usdt-text.ts';
import type { ExportedList } from '../../../platform/http/exported-list.ts';
import {
  type InvoiceFilters,
  type InvoiceOrder,
  invoiceConditions,
  invoiceKeys,
  needInvoices,
  unlessArchived,
} from './invoice-filters.ts';
import { asked, invoiceColumns, offPlatformUnits, onChainUnits, splitOfProvider } from './invoice-json.ts';

interface OrderedInvoices extends InvoiceFilters {
  orderBy: InvoiceOrder;
  orderDir: 'asc' | 'desc';
}
export type InvoicePage = OrderedInvoices & Reach;

export function listInvoices(tx: AnyTx, page: InvoicePage): Promise<PageOfRows> {
  const keys = invoiceKeys(page.orderBy, page.orderDir);
  const conditions = [invoiceConditions(tx, page), ...isAfter(keys, page.after)];
  return readPage(tx, page, {
    ids: sql`id`,
    keys,
    walk: sql`SELECT i.id, ${keyColumns(keys)} FROM invoice i
      WHERE ${sql.join(conditions, sql` AND `)} ${unlessArchived(page)} ORDER BY ${orderOf(keys)}`,
    joins: sql`
    CROSS JOIN LATERAL (SELECT * FROM invoice i WHERE i.id = page.id OFFSET 0) i
    CROSS JOIN LATERAL (SELECT * FROM trader t WHERE t.id = i.trader_id OFFSET 0) t
    LEFT JOIN provider p ON p.id = i.provider_id
    CROSS JOIN LATERAL (SELECT ${invoiceColumns}) r`,
  });
}

export interface InvoiceTotals {
  total: number;
  /** USDT, decimal string */
  total_amount: string;
}

/** The number of matches and their sum, from the sums by trader when these suffice. */
export async function sumInvoices(tx: AnyTx, filters: InvoiceFilters): Promise<InvoiceTotals> {
  const source = needInvoices(filters)
    ? sql`SELECT count(*)::int AS total, sum(i.amount_units) AS units FROM invoice i`
    : sql`SELECT coalesce(sum(i.invoices), 0)::int AS total, sum(i.amount_units) AS units FROM invoice_part i`;
  const { rows } = await sql<InvoiceTotals>`
    SELECT total, ${usdt(sql`coalesce(units, 0)`)} AS total_amount
    FROM (${source} WHERE ${invoiceConditions(tx, filters)} ${unlessArchived(filters)}) s`.execute(tx.sql);
  return rows[0] ?? { total: 0, total_amount: '0' };
}

/**
 * The statement of the export: the same rows in the same order as the list, with names instead of ids. An amount is what
 * the trader is asked for, in whole millionths (`askedUnits`).
 */
function exportStatement(tx: AnyTx, page: OrderedInvoices, selected: SelectedRows | null) {
  return sql`
    SELECT app.iso(i.created_at) AS created_at, app.iso(i.updated_at) AS updated_at, t.reference_number,
      coalesce(nullif(t.telegram_username, ''), t.name) AS trader, c.name AS community, p.display_name AS provider,
      i.exchange, i.invoice_type, i.status, i.is_archived, ${asked(sql`i.amount_units`)} AS amount,
      ${usdt(onChainUnits)} AS on_chain_amount, ${usdt(offPlatformUnits)} AS off_platform_amount,
      ${usdt(sql`i.amount_units * ${splitOfProvider}`)} AS provider_share,
      ${usdt(sql`(SELECT coalesce(sum(u.amount_units), 0) FROM invoice_deduction_use u WHERE u.invoice_id = i.id)`)}
        AS deducted_amount,
      app.iso(i.due_at) AS due_at, i.payment_address, i.id
    FROM invoice i JOIN trader t ON t.id = i.trader_id
    LEFT JOIN provider p ON p.id = i.provider_id LEFT JOIN community c ON c.id = i.community_id
    WHERE ${invoiceConditions(tx, page)} ${unlessArchived(page)} ${amongSelected(selected)}
    ORDER BY ${orderOf(invoiceKeys(page.orderBy, page.orderDir))}`.compile(tx.sql);
}

const EXPORT_COLUMNS = {
  created_at: 'Created',
  updated_at: 'Updated',
  reference_number: 'Reference Number',
  trader: 'Trader',
  community: 'Community',
  provider: 'Provider',
  exchange: 'Exchange',
  invoice_type: 'Type',
  status: 'Status',
  is_archived: 'Archived',
  amount: 'Amount (USDT)',
  on_chain_amount: 'Paid on chain (USDT)',
  off_platform_amount: 'Settled off-platform (USDT)',
  provider_share: 'Provider share (USDT)',
  deducted_amount: 'Deducted (USDT)',
  due_at: 'Due',
  payment_address: 'Payment address',
  id: 'Invoice ID',
};

/** The invoices of the list as a file. */
export const invoiceExport: ExportedList<'GET /api/invoices/export'> = {
  name: 'invoices',
  columns: EXPORT_COLUMNS,
  async prepare(_tx, { query }, selected) {
    const { filters, order } = partsOfQuery(query, 'created_at');
    return {
      count: async (reading) =>
        selected
          ? await countSelected(reading, filters, selected)
          : (await sumInvoices(reading, filters)).total,
      statement: (reading) => exportStatement(reading, { ...filters, ...order }, selected),
    };
  },
};

/** The condition of a selection over `invoice i`, with its `AND`. */
function amongSelected(selected: SelectedRows | null): RawBuilder<unknown> {
  if (selected === null) return sql``;
  const { ids = [], trader_ids: traderIds = [], except } = selected;
  // Traders without a reference number have nothing in common: "all that match" leaves them out.
  if (except)
    return sql`AND i.trader_id <> ALL (${except}::uuid[])
      AND EXISTS (SELECT FROM trader named WHERE named.id = i.trader_id AND named.reference_number IS NOT NULL)`;
  return sql`AND (i.id = ANY (${ids}::uuid[]) OR i.trader_id = ANY (${traderIds}::uuid[]))`;
}

async function countSelected(tx: AnyTx, filters: InvoiceFilters, selected: SelectedRows): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM invoice i
    WHERE ${invoiceConditions(tx, filters)} ${unlessArchived(filters)} ${amongSelected(selected)}`.execute(
    tx.sql,
  );
  return rows[0]?.total ?? 0;
}

/** The ids of the traders of a list of invoices, each once, in the order of their oldest invoices. */
export const idsOfInvoicedTraders = (tx: AnyTx, filters: InvoiceFilters): RawBuilder<unknown> => sql`
  SELECT i.trader_id AS id FROM invoice i
  WHERE ${invoiceConditions(tx, filters)} ${unlessArchived(filters)}
  GROUP BY i.trader_id ORDER BY min(i.created_at), i.trader_id`;
