import { sql } from 'kysely';
import { payableAddress } from '../../core/chain/payable-address.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/api-error.ts';

/**
 * Sets where a recipient of the platform is paid. A trigger notes the change, and payouts to it are held.
 * @param typed null or empty: it has no address, and its shares wait
 * @throws ApiError `validation_failed`, `not_found`
 */
export async function changeRecipient(tx: WriteTx, type: string, typed: string | null): Promise<void> {
  const { rows } = await sql<{ address: string | null }>`
    SELECT address FROM platform_recipient WHERE recipient_type = ${type} FOR NO KEY UPDATE`.execute(tx.sql);
  const current = rows[0];
  if (!current) throw new ApiError('not_found');
  const address = typed ? await payableAddress(tx, 'address', typed) : null;
  if (address?.toLowerCase() === current.address?.toLowerCase()) return;
  await sql`UPDATE platform_recipient SET address = ${address} WHERE recipient_type = ${type}`.execute(
    tx.sql,
  );
  tx.audit({
    action: 'platform_recipient.changed',
    target: { kind: 'platform_recipient', id: type },
    before: { address: current.address },
    after: { address },
  });
}
