import { sql } from 'kysely';
import { payableAddress } from '../../core/chain/payable-address.ts';
import { requireSeen } from '../../platform/audit/seen-version.ts';
import type { WriteTx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { recipientVersion } from './recipients.views.ts';

/**
 * Sets where a recipient of the platform is paid. A trigger notes the change, and payouts to it are held.
 * @param typed null or empty: it has no address, and its shares wait
 * @throws Refusal `validation_failed`, `not_found`, `changed_meanwhile`
 */
export async function changeRecipient(
  tx: WriteTx,
  type: string,
  { address: typed, version: seen }: { address: string | null; version: string },
): Promise<void> {
  const { rows } = await sql<{ address: string | null; version: string }>`
    SELECT r.address, ${recipientVersion} AS version FROM platform_recipient r WHERE r.recipient_type = ${type} FOR NO KEY UPDATE`.execute(
    tx.sql,
  );
  const current = rows[0];
  if (!current) throw new Refusal('not_found');
  const target = { kind: 'platform_recipient', id: type };
  const { version, ...present } = current;
  await requireSeen(tx, {
    target,
    actions: ['platform_recipient.changed'],
    seen,
    version,
    present,
    wanted: { address: typed },
  });
  const address = typed ? await payableAddress(tx, 'address', typed) : null;
  if (address?.toLowerCase() === current.address?.toLowerCase()) return;
  await sql`UPDATE platform_recipient SET address = ${address} WHERE recipient_type = ${type}`.execute(
    tx.sql,
  );
  tx.audit({
    action: 'platform_recipient.changed',
    target,
    before: { address: current.address },
    after: { address },
  });
}
