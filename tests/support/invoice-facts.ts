import { EXCHANGES } from '@copydesk/domain/catalogue';
import type {
  InvoiceDetail,
  InvoiceFacts,
} from '../../apps/server/src/features/invoices/document/describe-invoice.ts';

export const DEPOSIT_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const PAYMENT_HASH = `0x${'ab12cd34'.repeat(8)}`;

const DETAIL: InvoiceDetail = {
  ...{ id: '0197a3c4-5b6d-7e8f-9012-3456789abcde', trader_id: 't', community_id: 'c', exchange: null },
  ...{ amount: '162.333333333333333334', asked_amount: '162.333334', provider_share: '77.7777' },
  ...{ paid_amount: '30', on_chain_amount: '30', off_platform_amount: '0' },
  payment_address: DEPOSIT_ADDRESS,
  ...{ is_paid: false, is_archived: false, is_overdue: false, is_awaiting_approval: false },
  ...{ status: 'pending', invoice_type: 'regular', settled_by: null, is_of_pool: false, paid_at: null },
  trader: { id: 't', name: 'Ada Lovelace', telegram_username: 'ada_l', reference_number: 'KAIT-1042' },
  provider: { id: 'p', name: 'A provider' },
  due_at: '2026-12-08T10:00:00.000Z',
  created_at: '2026-12-01T05:00:00.000Z',
  updated_at: '2026-12-01T05:00:00.000Z',
  ...{ community_name: 'Alpha Traders', commission_rate: '0.5', off_platform: [] },
  ...{ unpaid_refusal: null, recall_refusal: null },
  basis: {
    ...{ kind: 'positions', positions: 12, before_fees: 3, profit: '335', commission: '167.5' },
    ...{ deducted: '5.166666666666666666', unexplained: '0' },
  },
  deductions: [
    {
      amount: '5.166666666666666666',
      invoice_id: '0197a3c4-5b6d-7e8f-9012-3456789abc00',
      symbol: 'BTCUSDT',
    },
  ],
  split: [{ recipient_type: 'mark', amount: '88.8888', state: 'due', recipient_address: '0xsplit' }],
  payments: [
    { amount: '30', tip: '66.6666', transaction_hash: PAYMENT_HASH, received_at: '2026-12-02T05:00:00.000Z' },
  ],
};

/** The facts of an invoice with so many positions, for its paper. */
export function invoiceFacts(positions: number, changed: Partial<InvoiceDetail> = {}): InvoiceFacts {
  return {
    detail: { ...DETAIL, ...changed },
    positions: { shown: Array.from({ length: positions }, (_, n) => position(n)), total: positions },
    isRecalled: false,
    readAt: new Date('2026-12-03T06:00:00Z'),
  };
}

function position(n: number): InvoiceFacts['positions']['shown'][number] {
  return {
    id: String(n),
    exchange: EXCHANGES[n % EXCHANGES.length] as (typeof EXCHANGES)[number],
    acc_uid: n % 5 === 4 ? DEPOSIT_ADDRESS.toLowerCase() : String(123_456_789 + n * 7_919),
    provider_name: 'A provider',
    symbol: ['BTCUSDT', '1000PEPEUSDT', 'ETHUSDT'][n % 3] as string,
    side: n % 2 === 0 ? 'long' : 'short',
    entry_price: ['97123.5', '0.0000123456', '3456.78'][n % 3] as string,
    exit_price: ['98001.25', '0.0000129876', '3400'][n % 3] as string,
    ...{ leverage: '10', contracts: '1.5', closed_pnl: ['12.3456', '0.5', '310'][n % 3] as string },
    fees_included: n % 4 !== 1,
    opened_at: n % 6 === 5 ? null : '2026-11-24T21:30:00.000Z',
    closed_at: '2026-11-25T03:15:00.000Z',
  };
}
