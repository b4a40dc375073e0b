import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** The reason why a payout under way waits. */
export interface PayoutWait {
  /**
   * `payments_stopped`, a problem of a transfer, `wallet_frozen`, a reason that stops all payouts of the chain (`no_standby`, `no_worker`, or a halt of
   * the engine), or `not_final` and `in_turn` in normal operation.
   */
  reason: string;
  /** Why the wallet is frozen, or the chain's error; null when there is no detail. */
  detail: string | null;
  /** The affected wallet. */
  address: string;
  /** Start of the wait, an ISO time. */
  since: string;
  /** Number of transfers that wait for the same reason. */
  count: number;
}

/** A worker without a heartbeat for this long is considered down. It sends one every 10 s. */
const ATTENDED = sql.lit('60 seconds');

/**
 * The current transfers of payouts: those to recipients once all consolidations are final, otherwise the
 * consolidations.
 * @param ids a query: the ids of the payouts
 */
export const currentTransfers = (ids: RawBuilder<unknown>) => sql`
        SELECT t.id FROM transfer t WHERE t.payout_id IN (${ids}) AND t.state IN ('planned', 'sent')
          AND NOT EXISTS (SELECT FROM payable y JOIN transfer c ON c.id = y.consolidation_id
            WHERE y.payout_id = t.payout_id AND c.state <> 'final')
        UNION SELECT c.id FROM payable y JOIN transfer c ON c.id = y.consolidation_id
        WHERE y.payout_id IN (${ids}) AND c.state IN ('planned', 'sent')`;

/**
 * Why no server takes the newest attempt of a sent transfer: a code and the words of the server. No row: one took it.
 * @param transfer its alias
 */
const newestRefusal = (transfer: RawBuilder<unknown>) => sql`
  SELECT 'refused_' || a.refusal AS reason, a.refusal_detail AS detail FROM (
    SELECT x.refusal, x.refusal_detail FROM transfer_attempt x
    WHERE x.transfer_id = ${transfer}.id AND ${transfer}.state = 'sent' ORDER BY x.attempt DESC LIMIT 1) a
  WHERE a.refusal IS NOT NULL`;

/**
 * The reasons why transfers of payouts wait, worst first. A transfer that waits for gas shows what blocks the gas
 * wallet. For super admins: transfers serve payouts of any provider.
 * @param ids a query: the ids of payouts
 */
export const worstWait = (ids: RawBuilder<unknown>) => sql`(
  SELECT json_build_object('reason', w.reason, 'detail', w.detail, 'address', w.address, 'since', app.iso(w.since),
    'count', w.count)
  FROM (
    SELECT r.reason, min(r.detail) AS detail, min(r.address) AS address, min(r.since) AS since, count(*)::int AS count,
      min(r.place) AS place
    FROM (
      SELECT why.reason, why.detail,
        CASE WHEN own.frozen_because IS NULL AND i.problem = 'waits_for_gas' AND gas.address IS NOT NULL
          THEN gas.address ELSE own.address END AS address,
        CASE WHEN why.reason = 'payments_stopped' THEN greatest(gate.stopped_since, i.created_at)
          ELSE coalesce(own.frozen_at, i.sent_at, i.created_at) END AS since,
        CASE WHEN why.reason = 'payments_stopped' THEN -1
          WHEN own.frozen_because IS NOT NULL THEN 0 WHEN i.problem IS NOT NULL OR said.reason IS NOT NULL THEN 1
          WHEN i.state = 'sent' THEN 2 ELSE 3 END AS place
      FROM (
        ${currentTransfers(ids)}) mine
      JOIN transfer i ON i.id = mine.id
      JOIN chain_wallet own ON own.id = i.wallet_id
      LEFT JOIN transfer_heartbeat h ON h.chain_id = own.chain_id
      CROSS JOIN (SELECT g.stopped_since, g.stopped_since IS NOT NULL AS holds FROM transfer_gate g) gate
      CROSS JOIN LATERAL (
        SELECT found.because, CASE WHEN found.because = h.halted_because THEN h.halted_detail END AS detail
        FROM (SELECT CASE
            -- Read, not written: without a standby to wait for, no worker can note it.
            WHEN (SELECT r.names <> '' AND r.connected < r.wanted AND NOT r.is_hidden FROM app.replication() r)
              THEN 'no_standby'
            WHEN h.looked_at > now() - interval ${ATTENDED} THEN h.halted_because
            ELSE 'no_worker' END AS because) found) halt
      LEFT JOIN LATERAL (${newestRefusal(sql`i`)}) said ON true
      LEFT JOIN LATERAL (
        SELECT g.id, g.state, g.problem, g.problem_detail, gw.frozen_because, gw.address FROM transfer g
        JOIN chain_wallet gw ON gw.id = g.wallet_id
        WHERE g.kind = 'gas_topup' AND g.state IN ('planned', 'sent') AND lower(g.to_address) = lower(own.address)
        LIMIT 1) gas ON i.problem = 'waits_for_gas'
      LEFT JOIN LATERAL (${newestRefusal(sql`gas`)}) gas_said ON true
      CROSS JOIN LATERAL (
        SELECT v.reason, v.detail FROM (VALUES
          (0, CASE WHEN gate.holds AND (i.state = 'planned' OR said.reason IS NOT NULL) THEN 'payments_stopped' END, NULL),
          (1, CASE WHEN own.frozen_because IS NOT NULL THEN 'wallet_frozen' END, own.frozen_because),
          (2, CASE WHEN gas.frozen_because IS NOT NULL THEN 'gas_wallet_frozen' END, gas.frozen_because),
          (3, gas.problem, gas.problem_detail),
          (4, gas_said.reason, gas_said.detail),
          (5, CASE WHEN i.problem = 'waits_for_gas' THEN halt.because END, halt.detail),
          (6, i.problem, i.problem_detail),
          (7, said.reason, said.detail),
          (8, halt.because, halt.detail),
          (9, CASE i.state WHEN 'sent' THEN 'not_final' ELSE 'in_turn' END, NULL)) v (place, reason, detail)
        WHERE v.reason IS NOT NULL ORDER BY v.place LIMIT 1) why) r
    GROUP BY r.reason ORDER BY place, count(*) DESC, r.reason LIMIT 1) w)`;

/** The same for one payout; null when none of its transfers is under way. */
export async function findWait(tx: Tx, payoutId: string): Promise<PayoutWait | null> {
  const { rows } = await sql<{ wait: PayoutWait | null }>`
    SELECT ${worstWait(sql`SELECT ${payoutId}::uuid`)} AS wait`.execute(tx.sql);
  return rows[0]?.wait ?? null;
}
