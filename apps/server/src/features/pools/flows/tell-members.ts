import type { WalletMessageKind, WithdrawalMessageKind } from '@copydesk/domain/messages';
import { sql } from 'kysely';
import { type QueuedNotice, queueMessages } from '../../../core/outbox/queue-messages.service.ts';
import { isStanding } from '../../../core/transfers/orders/standing.views.ts';
import { type Database, type Tx, WHOLE_SCOPE } from '../../../platform/db/database.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';

/** Notices of one transaction. */
const AT_ONCE = 100;
/** Older facts are from before this worker: an upgrade must not send notices about them. */
const SINCE_HOURS = 24;

/**
 * Tells traders by Telegram of a changed wallet, and members of a withdrawal that was ordered, was refused,
 * or waits for their address. A worker does this when it first sees the fact: a takeover of the API could
 * otherwise omit or forge a notice. Traders outside pools are told where the answer counts; the sender of
 * messages asks for it.
 * @returns whether there may be more
 */
export async function tellMembers({ db }: { db: Database }): Promise<boolean> {
  const notices = await db.read(WHOLE_SCOPE, listUntold);
  if (notices.length > 0) await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => queueMessages(tx, notices));
  return notices.length === AT_ONCE;
}

interface Row {
  kind: WalletMessageKind | WithdrawalMessageKind;
  traderId: string;
  providerId: string | null;
  dedupeKey: string;
  /** Null in a notice of a withdrawal that is not paid. */
  wallet: string | null;
  units: string | null;
  available: string | null;
}

async function listUntold(tx: Tx): Promise<QueuedNotice[]> {
  const since = sql`now() - make_interval(hours => ${sql.lit(SINCE_HOURS)})`;
  const { rows } = await sql<Row>`
    SELECT f.kind, t.id AS "traderId", t.selected_provider_id AS "providerId", f.key AS "dedupeKey", f.wallet,
      f.units::text AS units, f.available::text AS available
    FROM (
      SELECT 'wallet_changed' AS kind, a.owner_id::uuid AS trader_id, 'wallet_changed:' || a.id AS key,
        a.address AS wallet, NULL::numeric AS units, NULL::numeric AS available
      FROM payout_address_change a
      WHERE a.owner_kind = 'trader' AND a.address IS NOT NULL AND a.changed_at > ${since}
        AND (EXISTS (SELECT FROM pool_member m
            WHERE m.trader_id = CASE WHEN a.owner_kind = 'trader' THEN a.owner_id::uuid END)
          OR a.released_at IS NULL AND app.words_count() AND EXISTS (SELECT FROM trader o
            WHERE o.id = CASE WHEN a.owner_kind = 'trader' THEN a.owner_id::uuid END
              AND app.telegram_counts(o.telegram_user_id, o.telegram_set_at)))
      UNION ALL
      SELECT 'withdrawal_ordered', m.trader_id, 'withdrawal_ordered:' || w.id, l.to_address, w.amount_units, NULL
      FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id
      JOIN money_order o ON o.id = w.order_id
      JOIN money_order_line l ON l.order_id = o.id AND l.subject_id = w.id
      WHERE w.state IN ('queued', 'reserved', 'paying') AND l.to_address IS NOT NULL AND ${isStanding}
        AND coalesce(o.decided_at, o.requested_at) > ${since}
      UNION ALL
      -- Once for each time that a trader has none, whatever it asks for meanwhile.
      SELECT 'withdrawal_needs_address', n.id, 'withdrawal_needs_address:' || n.id || ':' || (
          SELECT count(*) FROM payout_address_change a WHERE a.owner_kind = 'trader' AND a.owner_id = n.id::text),
        NULL, NULL, NULL
      FROM trader n WHERE n.external_wallet_address IS NULL AND n.id IN (
        SELECT m.trader_id FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id
        WHERE w.state = 'queued' AND w.created_at > ${since})
      UNION ALL
      SELECT 'withdrawal_refused', m.trader_id, 'withdrawal_refused:' || w.id, NULL, w.amount_units, w.available_units
      FROM pool_withdrawal w JOIN pool_member m ON m.id = w.member_id
      WHERE w.state = 'refused' AND w.ended_at > ${since}) f
    JOIN trader t ON t.id = f.trader_id
    WHERE NOT EXISTS (SELECT FROM message k WHERE k.dedupe_key = f.key)
    ORDER BY f.key LIMIT ${AT_ONCE}`.execute(tx.sql);
  return rows.map(noticeOf);
}

function noticeOf({ kind, wallet, units, available, ...row }: Row): QueuedNotice {
  const place = { ...row, invoiceId: null };
  const amount = units === null ? null : BigInt(units);
  if (kind === 'withdrawal_needs_address' || kind === 'withdrawal_refused')
    return { ...place, kind, facts: { units: amount, availableUnits: BigInt(available ?? 0) } };
  return { ...place, kind, facts: { wallet: wallet as string, units: amount } };
}
