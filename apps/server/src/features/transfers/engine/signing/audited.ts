import { decimalToUnits } from '@copydesk/domain/money';
import { sql } from 'kysely';
import type { Transfer } from '../../../../core/transfers/transfer.ts';
import { type AuditedAct, allPurposes } from '../../../../core/transfers/transfer-purpose.ts';
import { checkHashes, listEntriesOfOrders, type OrderEntry } from '../../../../platform/audit/chain.views.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { TransferEngine } from '../engine.ts';

/** A transfer that no fact allows, and a code for what differs. */
export interface NotBacked {
  id: string;
  why: string;
}

interface Audited {
  /** Transfers for which the audit has an act not, or not as it was done. */
  notAudited: NotBacked[];
  /** Transfers with an act that no worker has sealed yet: they wait. */
  unsealed: Set<string>;
}

/**
 * Compares the acts of people that transfers follow from with the audit: each has an entry under the key of the audit, in
 * the chain, with its author and amount. Who can write to the database, and does not have that key, orders nothing.
 */
export async function compareWithAudit(
  { purposes, auditKeys }: Pick<TransferEngine, 'purposes' | 'auditKeys'>,
  tx: Tx,
  transfers: readonly Pick<Transfer, 'id' | 'kind'>[],
): Promise<Audited> {
  const kinds = new Set(transfers.map(({ kind }) => kind));
  const ids = transfers.map(({ id }) => id);
  const queries = allPurposes(purposes).flatMap(([kind, { audited }]) =>
    audited && kinds.has(kind)
      ? sql`SELECT i.id, a.* FROM transfer i CROSS JOIN LATERAL (${audited}) AS a (order_id, action, says, units, ended_by)
          WHERE i.kind = ${sql.lit(kind)} AND i.id = ANY (${ids}::uuid[])`
      : [],
  );
  if (queries.length === 0) return { notAudited: [], unsealed: new Set() };
  const { rows: acts } = await sql<
    AuditedAct & { id: string }
  >`${sql.join(queries, sql` UNION ALL `)}`.execute(tx.sql);
  const entries = Map.groupBy(
    await listEntriesOfOrders(tx.sql, [...new Set(acts.map(({ order_id }) => order_id))]),
    ({ order_id }) => order_id,
  );
  const withActs = new Set(acts.map(({ id }) => id));
  const notAudited = new Map<string, string>(
    transfers
      .filter(({ id, kind }) => purposes[kind as keyof typeof purposes]?.audited && !withActs.has(id))
      .map(({ id }) => [id, 'not_audited']),
  );
  const unsealed = new Set<string>();
  for (const act of acts) {
    const right = (entries.get(act.order_id) ?? []).filter(
      (entry) =>
        (entry.action === act.ended_by || fits(entry, act)) &&
        ['right', 'unchecked'].includes(checkHashes(auditKeys, entry)),
    );
    if (right.length === 0 || right.some(({ action }) => action === act.ended_by))
      notAudited.set(act.id, 'not_audited');
    else if (!right.some(({ is_sealed }) => is_sealed)) unsealed.add(act.id);
  }
  return { notAudited: [...notAudited].map(([id, why]) => ({ id, why })), unsealed };
}

/** Whether an entry is about this act. */
function fits(entry: OrderEntry, { action, says, units }: AuditedAct): boolean {
  if (entry.action !== action || unitsOf(entry.after as Amounts) !== units) return false;
  return Object.entries(says).every(([column, value]) => entry[column as keyof typeof says] === value);
}

/** As entries name them: base units, USDT, or `all`. */
type Amounts = { units?: string; amount?: string } | null;

function unitsOf(after: Amounts): string | undefined {
  if (after?.units !== undefined || after?.amount === undefined) return after?.units;
  return after.amount === 'all' ? 'all' : decimalToUnits(after.amount)?.toString();
}
