import { sql } from 'kysely';
import { listMovingAddresses } from '../../../core/chain/moving-addresses.ts';
import type { Token } from '../../../core/chain/transfer-receiver.ts';
import type { ChainReader, OtherTransfer, TokenWords } from '../../../integrations/chain/chain-reader.ts';
import { type Database, type Tx, WHOLE_SCOPE, type WriteTx } from '../../../platform/db/database.ts';
import { deleteInBatches } from '../../../platform/db/delete-in-batches.ts';
import { WORKER_ACTOR } from '../../../platform/work/worker-actor.ts';
import { addTransfers } from './other-tokens.store.ts';

/** Contracts that are asked for their symbol in a turn: anyone can send us any number of them. */
const TOKENS_AT_ONCE = 20;
/** After a failure of the servers: a minute at first, then four times as long, up to a day. */
const ASK_AGAIN_MS = 60_000;
const MOST_ASKS = 12;
/** Anyone can send any number of other tokens, so the list keeps them for a limited time. */
const KEPT_DAYS = 365;

interface OtherTokenReading {
  db: Database;
  chain: Pick<ChainReader, 'otherTransfersIn' | 'wordsOf'>;
  token: Token;
  /** Blocks of a turn. */
  blocksAtOnce: number;
  now: () => Date;
}

/**
 * Notes other tokens that reached addresses of ours that owe or moved lately, in the next final blocks. They are listed
 * for people and never booked; a single reading is enough. All addresses follow: see `searchAllAddresses`.
 * @returns whether more final blocks wait
 */
export async function recordOtherTokens(reading: OtherTokenReading): Promise<boolean> {
  const isMore = await recordTransfers(reading);
  await askForWords(reading);
  return isMore;
}

/** @returns whether more final blocks wait */
async function recordTransfers({ db, chain, token, blocksAtOnce, now }: OtherTokenReading): Promise<boolean> {
  const { from, final, addresses } = await db.read(WHOLE_SCOPE, async (tx) => ({
    ...(await findPlace(tx, token)),
    addresses: [...(await listMovingAddresses(tx, now()))],
  }));
  if (final === null || (from !== null && from >= final)) return false;
  // Blocks from before this list existed are not searched.
  const end = from === null ? final : from + BigInt(blocksAtOnce);
  const to = end < final ? end : final;
  const found = from === null ? [] : await chain.otherTransfersIn({ from: from + 1n, to }, addresses);
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => save(tx, token, { to, found }));
  return to < final;
}

/** Asks contracts for their symbol and decimals, those that wait the longest first. */
async function askForWords({ db, chain, token, now }: OtherTokenReading): Promise<void> {
  const due = await db.read(WHOLE_SCOPE, (tx) => listToAsk(tx, token, now()));
  if (due.length === 0) return;
  const answers = await Promise.allSettled(due.map((address) => chain.wordsOf(address)));
  const words = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null));
  await db.write(WHOLE_SCOPE, WORKER_ACTOR, (tx) => saveWords(tx, token, { due, words, at: now() }));
}

async function findPlace(
  tx: Tx,
  { chainId, tokenAddress }: Token,
): Promise<{ from: bigint | null; final: bigint | null }> {
  const { rows } = await sql<{ from: string | null; final: string | null }>`
    SELECT (SELECT block_number::text FROM other_token_cursor WHERE chain_id = ${chainId}) AS from,
      (SELECT block_number::text FROM chain_cursor WHERE chain_id = ${chainId}
        AND token_address = ${tokenAddress}) AS final`.execute(tx.sql);
  const [row] = rows;
  return {
    from: row?.from == null ? null : BigInt(row.from),
    final: row?.final == null ? null : BigInt(row.final),
  };
}

async function listToAsk(tx: Tx, { chainId }: Token, at: Date): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    SELECT token_address AS address FROM other_token WHERE chain_id = ${chainId} AND ask_at <= ${at}
    ORDER BY ask_at LIMIT ${TOKENS_AT_ONCE}`.execute(tx.sql);
  return rows.map(({ address }) => address);
}

/** @param words of each contract that is due; null: no server answered */
async function saveWords(
  tx: WriteTx,
  { chainId }: Token,
  { due, words, at }: { due: readonly string[]; words: readonly (TokenWords | null)[]; at: Date },
): Promise<void> {
  await sql`UPDATE other_token t SET symbol = n.symbol, decimals = n.decimals, asks = t.asks + 1,
      ask_at = CASE WHEN NOT n.is_answered AND t.asks + 1 < ${MOST_ASKS}
        THEN ${at}::timestamptz + least(interval '1 day', make_interval(secs => ${ASK_AGAIN_MS / 1_000} * 4 ^ t.asks)) END
    FROM unnest(${[...due]}::text[], ${words.map((each) => each?.symbol ?? null)}::text[],
      ${words.map((each) => each?.decimals ?? null)}::integer[],
      ${words.map((each) => each !== null)}::boolean[]) AS n (address, symbol, decimals, is_answered)
    WHERE t.chain_id = ${chainId} AND t.token_address = n.address`.execute(tx.sql);
}

async function save(
  tx: WriteTx,
  token: Token,
  { to, found }: { to: bigint; found: readonly OtherTransfer[] },
): Promise<void> {
  await addTransfers(tx, token, found);
  await sql`INSERT INTO other_token_cursor AS c (chain_id, block_number) VALUES (${token.chainId}, ${to.toString()})
    ON CONFLICT (chain_id) DO UPDATE SET block_number = greatest(c.block_number, excluded.block_number)`.execute(
    tx.sql,
  );
}

/** Deletes transfers that were listed for a year. @returns the number of deleted rows */
export function pruneOtherTokens({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const before = new Date(now().getTime() - KEPT_DAYS * 86_400_000);
  return deleteInBatches((limit) =>
    db.write(WHOLE_SCOPE, WORKER_ACTOR, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM other_token_transfer WHERE ctid = ANY (ARRAY(
          SELECT o.ctid FROM other_token_transfer o WHERE o.created_at < ${before}
          ORDER BY o.created_at LIMIT ${limit}))`.execute(tx.sql);
      return Number(numAffectedRows);
    }),
  );
}
