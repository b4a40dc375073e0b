import type { Language } from '@copydesk/domain/catalogue';
import { sql } from 'kysely';
import type { AnyTx } from '../../../platform/db/database.ts';
import { providerInScope, traderInScope } from '../../../platform/db/scope-filter.ts';

/** What only the paper of an invoice in scope says; null when there is no such invoice. */
export async function findPaperFacts(
  tx: AnyTx,
  id: string,
): Promise<{ language: Language; isRecalled: boolean } | null> {
  const { rows } = await sql<{ language: Language; is_recalled: boolean }>`
    SELECT t.language, i.recalled_at IS NOT NULL AS is_recalled
    FROM invoice i JOIN trader t ON t.id = i.trader_id
    WHERE i.id = ${id} AND ${providerInScope(tx, 'i.provider_id')} AND ${traderInScope(tx, 'i.trader_id')}`.execute(
    tx.sql,
  );
  const [row] = rows;
  return row ? { language: row.language, isRecalled: row.is_recalled } : null;
}
