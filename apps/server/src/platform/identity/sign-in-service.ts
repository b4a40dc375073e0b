import { sql } from 'kysely';
import type { WriteTx } from '../db/database.ts';
import type { Identity } from './identity.ts';

/**
 * Notes where people sign in, as a worker's environment says. Only where that is a hosted service, whose metadata grants,
 * does the database take a super admin without a sponsor from the API.
 */
export async function recordSignInService(tx: WriteTx, kind: Identity['kind'], at: Date): Promise<void> {
  await sql`INSERT INTO identity.sign_in_service AS s (kind, noted_at) VALUES (${kind}, ${at})
    ON CONFLICT (is_one) DO UPDATE SET kind = excluded.kind, noted_at = excluded.noted_at
      WHERE s.kind <> excluded.kind`.execute(tx.sql);
}
