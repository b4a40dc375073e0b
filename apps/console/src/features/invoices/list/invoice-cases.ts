import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';

const AT = '2026-01-01T00:00:00Z';

/** A group for tests. */
export function groupCase(reference_number: string, change: Partial<InvoiceGroup> = {}): InvoiceGroup {
  return {
    reference_number,
    trader: null,
    total_amount: '100',
    paid_amount: '0',
    on_chain_amount: '0',
    off_platform_amount: '0',
    provider_share: '40',
    invoice_count: 2,
    trader_count: 1,
    is_paid: false,
    is_archived: false,
    is_part: false,
    pending_count: 2,
    cancelled_count: 0,
    due_count: 1,
    overdue_count: 1,
    part_paid_count: 0,
    overpaid_count: 0,
    created_at: AT,
    updated_at: AT,
    ...change,
  };
}

/** An invoice for tests, of the trader with a reference number. */
export function invoiceCase(
  id: string,
  reference_number: string | null,
  change: Partial<Invoice> = {},
): Invoice {
  return {
    id,
    trader_id: 't',
    amount: '50',
    asked_amount: '50',
    paid_amount: '0',
    on_chain_amount: '0',
    off_platform_amount: '0',
    provider_share: '20',
    payment_address: '0x1',
    is_paid: false,
    is_archived: false,
    is_overdue: false,
    is_awaiting_approval: false,
    status: 'pending',
    invoice_type: 'regular',
    community_id: 'c',
    exchange: 'bybit',
    trader: { id: 't', name: null, telegram_username: null, reference_number },
    provider: null,
    due_at: AT,
    created_at: AT,
    updated_at: AT,
    ...change,
  };
}
