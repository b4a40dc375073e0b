import { TRANSFER_MOVES } from '@copydesk/domain/payouts';
import { type RawBuilder, sql } from 'kysely';
import type { Transfer } from '../../../../core/transfers/transfer.ts';
import { allPurposes, type TransferPurposes } from '../../../../core/transfers/transfer-purpose.ts';
import type { Tx, WriteTx } from '../../../../platform/db/database.ts';
import type { TransferEngine } from '../engine.ts';
import { compareWithAudit, type NotBacked } from './audited.ts';

/**
 * The transfers among these that are not to be signed: `refused` for good, because no fact allows them, or the audit does
 * not have what they follow from; `unsealed` until a worker has sealed that.
 */
export async function readRefused(
  engine: Pick<TransferEngine, 'purposes' | 'auditKeys' | 'tokenAddress'>,
  tx: Tx,
  transfers: readonly Pick<Transfer, 'id' | 'kind'>[],
): Promise<{ refused: NotBacked[]; unsealed: Set<string> }> {
  const ids = transfers.map(({ id }) => id);
  const notBacked = await listNotBacked(tx, engine.purposes, engine.tokenAddress, ids);
  const { notAudited, unsealed } = await compareWithAudit(engine, tx, transfers);
  const known = new Set(notBacked.map(({ id }) => id));
  return { refused: [...notBacked, ...notAudited.filter(({ id }) => !known.has(id))], unsealed };
}

/**
 * The transfers among these that no fact allows as they are. Only the expressions of their kinds are sent: those of
 * all kinds make a plan of 3,400 lines, and planning it took longer than the rest of a turn. No fact allows a kind whose
 * expression was not sent.
 * @param tokenAddress the token of the books, in lower case
 */
async function listNotBacked(
  tx: Tx,
  purposes: TransferPurposes,
  tokenAddress: string,
  ids: readonly string[],
): Promise<NotBacked[]> {
  const { rows: found } = await sql<{ kind: string }>`
    SELECT DISTINCT kind FROM transfer WHERE id = ANY (${[...ids]}::uuid[])`.execute(tx.sql);
  const kinds = new Set(found.map(({ kind }) => kind));
  const whyOfKind = allPurposes(purposes)
    .filter(([kind]) => kinds.has(kind))
    .map(([kind, { whyNotBacked }]) => sql`WHEN i.kind = ${sql.lit(kind)} THEN (${whyNotBacked})`);
  const why: RawBuilder<unknown> = sql`CASE WHEN lower(i.token_address) <> ${tokenAddress} THEN 'wrong_token'
    ${sql.join(whyOfKind, sql` `)} ELSE 'unknown_kind' END`;
  const { rows } = await sql<NotBacked>`
    SELECT n.id, n.why FROM (
      SELECT i.id, ${why} AS why FROM transfer i JOIN chain_wallet w ON w.id = i.wallet_id
      WHERE i.id = ANY (${[...ids]}::uuid[])) n
    WHERE n.why IS NOT NULL`.execute(tx.sql);
  return rows;
}

/** How many transfers were set aside since then. */
export async function countNotBacked(tx: Tx, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM transfer WHERE problem = 'not_backed' AND ended_at > ${since}`.execute(
    tx.sql,
  );
  return rows[0]?.count ?? 0;
}

/** Ends planned transfers that no fact allows, and keeps the reason. */
export async function voidNotBacked(tx: WriteTx, notBacked: readonly NotBacked[], at: Date): Promise<void> {
  await sql`
    UPDATE transfer i SET state = ${sql.lit(TRANSFER_MOVES.set_aside.to)}, ended_at = ${at}, problem = 'not_backed', problem_detail = n.why,
      retry_at = NULL
    FROM unnest(${notBacked.map(({ id }) => id)}::uuid[], ${notBacked.map(({ why }) => why)}::text[]) AS n (id, why)
    WHERE i.id = n.id AND i.state = ${sql.lit(TRANSFER_MOVES.set_aside.from)}`.execute(tx.sql);
}
