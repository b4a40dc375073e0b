import { auditExport } from '../../features/audit/audit.views.ts';
import { refusalExport } from '../../features/audit/security-log/security-log.views.ts';
import { invoiceExport } from '../../features/invoices/list/invoices.views.ts';
import { payoutExport } from '../../features/payouts/history/payout-history.views.ts';
import { positionExport } from '../../features/traders/history/closed-positions.views.ts';
import { traderExport } from '../../features/traders/trader-export.ts';
import type { ExportedLists } from '../../platform/http/exported-list.ts';

/** Every list that can be exported. */
export const EXPORTED_LISTS: ExportedLists = {
  traders: traderExport,
  closed_positions: positionExport,
  invoices: invoiceExport,
  payouts: payoutExport,
  audit: auditExport,
  refusals: refusalExport,
};
