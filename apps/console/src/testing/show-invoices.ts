import type { Answers } from './serve-calls.ts';
import { type Shown, showScreen } from './show-screen.tsx';

const AT = '2026-01-02T10:00:00.000Z';
const NONE = { success: true as const, data: [], meta: { total: 0 } };
/** No invoices, and nothing that waits for one. */
const INVOICES: Answers = {
  'GET /api/invoices/admin/groups': {
    success: true,
    data: [],
    meta: {
      total: 0,
      counts: { all: 0, unpaid: 0, paid: 0, archived: 0 },
      totals_at: AT,
      next_cursor: null,
    },
  },
  'GET /api/invoices/deductions': NONE,
  'GET /api/invoices/differences': NONE,
  'GET /api/invoices/runs': NONE,
  'GET /api/payments/unmatched': {
    ...NONE,
    meta: { total: 0, waiting: 0, returning: 0, total_amount: '0' },
  },
  'GET /api/payments/other-tokens': { ...NONE, meta: { total: 0, tokens: [] } },
  'GET /api/saved-views': { success: true, data: [] },
};

/** The Invoices screen without any, as a super admin sees it. */
export const showInvoices = ({ answers, ...shown }: Shown = {}) =>
  showScreen('/invoices', { answers: { ...INVOICES, ...answers }, ...shown });
