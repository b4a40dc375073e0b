import type { InvoicingWorld } from './invoicing-world.ts';

/** Checks the invariants of invoices, books and payables, without the code under test. */
export async function findUnsound({ owner }: Pick<InvoicingWorld, 'owner'>) {
  const [row] = await owner<Record<string, string>>(`SELECT
    (SELECT coalesce(sum(amount), 0)::text FROM posting) AS postings,
    (SELECT count(*)::text FROM ledger_balance WHERE NOT allow_negative AND posted < 0) AS overdrawn,
    (SELECT count(*)::text FROM invoice i WHERE i.amount_units <>
      (SELECT sum((p ->> 'units')::numeric) FROM jsonb_array_elements(i.split) p)) AS unlike_split,
    -- A new invoice has its journal, and what is receivable of it is what was not paid.
    (SELECT count(*)::text FROM invoice i
      JOIN ledger_account a ON a.owner_id = i.id AND a.kind = 'receivable' JOIN ledger_balance b ON b.account_id = a.id
      WHERE b.posted <> CASE WHEN i.status = 'pending' THEN i.amount_units - i.paid_units ELSE 0 END) AS unlike_books,
    (SELECT count(*)::text FROM invoice i JOIN audit_entry e ON e.target_id = i.id::text
      AND e.action = 'invoice.created' WHERE NOT EXISTS (SELECT FROM journal j
        WHERE j.source_type = 'invoice' AND j.source_id = i.id::text)) AS without_books,
    (SELECT count(*)::text FROM (SELECT invoice_id, count(*) FROM payable WHERE recipient_type <> 'tip'
      GROUP BY invoice_id, recipient_type HAVING count(*) > 1) d) AS paid_out_twice,
    (SELECT count(*)::text FROM payment p WHERE p.amount_units - p.open_units <>
      (SELECT coalesce(sum(m.amount_units), 0) FROM invoice_payment m WHERE m.payment_id = p.id)
      + (SELECT coalesce(sum(c.amount_units), 0) FROM credit_return c
        WHERE c.payment_id = p.id AND c.state <> 'undone')) AS unlike_payments,
    (SELECT count(*)::text FROM closed_position c JOIN invoice i ON i.id = c.invoice_id
      WHERE c.trader_id <> i.trader_id) AS strangers`);
  return Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== '0'));
}
