import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { providerInScope } from '../../platform/db/scope-filter.ts';

type Providers = CallAnswer<'GET /api/providers'>['data'];

/** @param isActive only active or only inactive ones; both when omitted */
export async function listProviders(tx: Tx, isActive?: boolean): Promise<Providers> {
  const { rows } = await sql<Providers[number]>`
    SELECT p.id, p.name, p.display_name, p.payment_split_percentage::float8 AS payment_split_percentage,
      p.supported_exchanges, p.is_active, p.invoicing_enabled
    FROM provider p
    WHERE ${providerInScope(tx, 'p.id')} AND (${isActive ?? null}::boolean IS NULL OR p.is_active = ${isActive ?? null})
    ORDER BY lower(p.display_name), p.id`.execute(tx.sql);
  return rows;
}
