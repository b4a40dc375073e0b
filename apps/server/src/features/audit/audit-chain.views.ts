import type { CallAnswer } from '@copydesk/contract';
import { sql } from 'kysely';
import { readVerifications } from '../../platform/audit/verifications.store.ts';
import type { Tx } from '../../platform/db/database.ts';

type Chain = CallAnswer<'GET /api/audit/chain'>['data'];

/** The head of the chain, what waits for it, its checks, and what live workers noted outside of the database. */
export async function readChain(tx: Tx): Promise<Chain> {
  const { rows } = await sql<Pick<Chain, 'head' | 'noted' | 'unsealed'>>`
    SELECT (SELECT json_build_object('position', s.position::text, 'seq', s.seq::text, 'hash', encode(s.hash, 'hex'))
        FROM audit_seal s ORDER BY s.position DESC LIMIT 1) AS head,
      (SELECT json_build_object('count', count(*), 'since', app.iso(min(u.written_at))) FROM audit_unsealed u) AS unsealed,
      (SELECT coalesce(json_agg(json_build_object('position', w.noted_sequence::text, 'at', app.iso(w.noted_at),
          'problem', w.audit_problem) ORDER BY w.noted_sequence DESC), '[]')
        FROM worker_heartbeat w WHERE w.noted_sequence IS NOT NULL
          AND w.seen_at > now() - interval '1 minute') AS noted`.execute(tx.sql);
  const [chain] = rows;
  if (!chain) throw new Error('a query without a table of its own returns one row');
  return { ...chain, ...(await readVerifications(tx)) };
}
