import type { RecipientType } from '@copydesk/domain/catalogue';
import { sql } from 'kysely';
import type { WriteTx } from '../../platform/db/database.ts';

export interface NewPayable {
  invoiceId: string;
  recipientType: RecipientType;
  amountUnits: bigint;
  /** For a tip: its payment. */
  paymentId: string | null;
  /** The transfer that brought its money into the community's wallet, if it is there. */
  consolidationId?: string;
}

/** An unknown address is null; the payout of the share needs one. */
export async function insertPayables(tx: WriteTx, payables: readonly NewPayable[]): Promise<void> {
  if (payables.length === 0) return;
  await sql`
    INSERT INTO payable (invoice_id, community_id, provider_id, recipient_type, recipient_address, amount_units,
      payment_id, consolidation_id)
    SELECT i.id, i.community_id, i.provider_id, n.recipient_type, CASE n.recipient_type
        WHEN 'mark' THEN p.payout_address
        WHEN 'community' THEN c.external_wallet_address
        WHEN 'community_referrer' THEN c.referrer_wallet_address
        WHEN 'trader_referrer' THEN r.external_wallet_address
        ELSE platform.address END, n.units, n.payment_id, n.consolidation_id
    FROM unnest(${payables.map(({ invoiceId }) => invoiceId)}::uuid[],
      ${payables.map(({ recipientType }) => recipientType)}::text[],
      ${payables.map(({ amountUnits }) => amountUnits.toString())}::numeric[],
      ${payables.map(({ paymentId }) => paymentId)}::uuid[],
      ${payables.map(({ consolidationId = null }) => consolidationId)}::uuid[])
      AS n (invoice_id, recipient_type, units, payment_id, consolidation_id)
    JOIN invoice i ON i.id = n.invoice_id JOIN community c ON c.id = i.community_id
    JOIN trader t ON t.id = i.trader_id LEFT JOIN trader r ON r.id = t.referred_by_trader_id
    LEFT JOIN provider p ON p.id = i.provider_id
    LEFT JOIN platform_recipient platform ON platform.recipient_type = n.recipient_type`.execute(tx.sql);
}
