import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/**
 * Request and response header: how far in the leader's log a client has seen, as PostgreSQL writes it (`16/B374D848`).
 * Ours are padded (`00000016/B374D848`), so that a client can compare them as texts. A client sends back the highest; an
 * answer below what was sent says that the sent one is void, and takes its place.
 */
export const LOG_POSITION_HEADER = 'copydesk-position';
/** After a write whose position was not read: as no position, below all others. The leader answers what comes next. */
const UNKNOWN = 0n;

/** How far in the log of the leader a request has to see, and has seen; in bytes since its beginning. */
export interface Positions {
  /** Null: the client does not know of positions, so all its reads are the leader's. */
  needed: bigint | null;
  /** Null: nothing was read or written yet. */
  seen: bigint | null;
  /** Something was written, and how far the log then was is not known. */
  isLost: boolean;
}

const LSN = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i;

/** A position of the log from its text; null: it is none, or the beginning, which nothing has. */
export function parsePosition(text: unknown): bigint | null {
  const [, high, low = ''] = (typeof text === 'string' && LSN.exec(text)) || [];
  return (high !== undefined && BigInt(`0x${high}${low.padStart(8, '0')}`)) || null;
}

/** The text of a position, padded. */
export function formatPosition(position: bigint): string {
  const hex = (part: bigint) => part.toString(16).toUpperCase().padStart(8, '0');
  return `${hex(position >> 32n)}/${hex(position & 0xffffffffn)}`;
}

/** The higher of two positions; null is lower than any. */
export const higher = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null || (b !== null && b > a) ? b : a;

const storage = new AsyncLocalStorage<Positions>();

/** The positions of the request under way; undefined: there is none, or it has none. */
export const currentPositions = (): Positions | undefined => storage.getStore();

/** Runs `work` with these positions. */
export const withPositions = <T>(positions: Positions, work: () => T): T => storage.run(positions, work);

/** The positions of a request that begins. @param header as its client sent it; anything but a position counts as none */
export const openPositions = (header: unknown): Positions => ({
  needed: parsePosition(header),
  seen: null,
  isLost: false,
});

/** The header of the answer; null: it has none. */
export function answeredPosition({ seen, isLost }: Positions): string | null {
  if (isLost) return formatPosition(UNKNOWN);
  return seen === null ? null : formatPosition(seen);
}

/**
 * Notes how far a read or a write has seen. Later reads of the same request need as much.
 * @param positions undefined: of no request
 */
export function notePosition(positions: Positions | undefined, seen: bigint | null): void {
  if (!positions || seen === null) return;
  positions.seen = higher(positions.seen, seen);
  if (positions.needed !== null) positions.needed = higher(positions.needed, seen);
}

/** What every later read of the request needs as well; null: the leader. */
export const neededNow = (positions: Positions | undefined): bigint | null => positions?.needed ?? null;

/** Runs `work` on the leader. @returns also how far it has seen; null: there are no replicas, so it is not known */
export async function withSeen<T>(work: () => Promise<T>): Promise<{ value: T; seen: bigint | null }> {
  const positions = openPositions(null);
  const value = await withPositions(positions, work);
  return { value, seen: positions.seen };
}

/** Null: this database does not lead at present. A read that needs no leader does not fail for it. */
const PRESENT =
  'SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_insert_lsn() END::text AS position';

/** The end of the leader's log; null: it is a replica. Within a transaction, it is behind all that its statements saw. */
export async function readPresentPosition(client: pg.ClientBase): Promise<bigint | null> {
  const { rows } = await client.query<{ position: string | null }>(PRESENT);
  return parsePosition(rows[0]?.position);
}
