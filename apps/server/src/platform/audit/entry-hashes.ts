import { createHmac } from 'node:crypto';
import { canonicalJson } from '../secrets/canonical-json.ts';

/** Hash before the first entry. */
export const CHAIN_START = Buffer.alloc(32);

/** Whose key an entry's own hash is under: `api` is the key of the chain, which every program has. */
export type KeyKind = 'api' | 'worker';

/** The keys that a program has. */
export interface AuditKeys {
  /** Of the chain, and of the own hashes of entries that are not a worker's. */
  chain: Buffer;
  /** Of the own hashes of workers' entries and seals; null in an API, and in a worker that was given none. */
  worker: Buffer | null;
}

/** The key that a program's own hashes are under. */
export const ownKey = ({ worker, chain }: AuditKeys): { keyedBy: KeyKind; key: Buffer } =>
  worker ? { keyedBy: 'worker', key: worker } : { keyedBy: 'api', key: chain };

/** The fields that hashes of version 1 cover, in this order. */
export interface ChainedEntry {
  seq: string;
  at: string;
  actor_kind: string;
  actor_id: string;
  actor_name: string;
  action: string;
  target_kind: string;
  target_id: string;
  before: unknown;
  after: unknown;
  request_id: string | null;
}

/** The fields that hashes of version 2 and 3 cover. */
export interface KeyedEntry extends Omit<ChainedEntry, 'before' | 'after'> {
  /** UTC, to the microsecond. */
  at: string;
  /** The text of the JSON; null: the column is NULL, which is not the JSON null. */
  before: string | null;
  after: string | null;
  keyed_by: KeyKind;
}

/**
 * Hash of version 1: HMAC-SHA-256 over the previous hash and the entry. Object keys are sorted, because jsonb does not
 * keep their order.
 */
export function chainHash(key: Buffer, previous: Buffer, entry: ChainedEntry): Buffer {
  return createHmac('sha256', key).update(previous).update(canonicalJson(entry)).digest();
}

/** The own hash of an entry, version 3, over its content (`canonicalEntry`). */
export function entryHash(key: Buffer, content: string): Buffer {
  // The first word keeps each kind of hash apart from the others: some are under the same key.
  return createHmac('sha256', key).update('entry\n').update(content).digest();
}

/** What the hashes of a seal cover, besides the hash of the position before. */
export interface Sealed {
  position: bigint;
  /** The own hash of the entry. Null: version 1. */
  own: Buffer | null;
  /** Its content. */
  content: string;
}

/**
 * The own hash of a seal. It covers the hash of the position before, so a worker's seal vouches for everything before it:
 * without the worker's key none of that can be rewritten.
 */
export const ownSealHash = (key: Buffer, previous: Buffer, sealed: Sealed): Buffer =>
  sealHashOf(key, 'own seal\n', previous, sealed).digest();

/** The hash of the chain at a position. */
export const sealHash = (key: Buffer, previous: Buffer, own: Buffer, sealed: Sealed): Buffer =>
  sealHashOf(key, 'seal\n', previous, sealed).update(own).digest();

const sealHashOf = (key: Buffer, kind: string, previous: Buffer, { position, own, content }: Sealed) =>
  createHmac('sha256', key)
    .update(`${kind}${position}\n`)
    .update(previous)
    .update(own ?? CHAIN_START)
    .update(`${Buffer.byteLength(content)}\n${content}`);

/** The own hash of an entry, version 2, over its content and the hash of the entry before. */
export function ownHash(key: Buffer, previous: Buffer, content: string): Buffer {
  return createHmac('sha256', key).update('own\n').update(previous).update(content).digest();
}

/** The hash of the chain, version 2. */
export function linkHash(key: Buffer, previous: Buffer, own: Buffer, content: string): Buffer {
  return createHmac('sha256', key).update('chain\n').update(previous).update(own).update(content).digest();
}

/** What the hashes of version 2 and 3 cover: a list, so that no field can be taken for the one beside it. */
export const canonicalEntry = (version: 2 | 3, entry: KeyedEntry): string =>
  `[${version},${[
    ...[entry.seq, entry.at, entry.keyed_by, entry.actor_kind, entry.actor_id, entry.actor_name],
    ...[entry.request_id, entry.action, entry.target_kind, entry.target_id],
  ]
    .map((field) => JSON.stringify(field))
    .join()},${canonicalValues(entry)}]`;

/** The values before and after, each in a list of its own: NULL is an empty one. */
const canonicalValues = ({ before, after }: Pick<KeyedEntry, 'before' | 'after'>): string =>
  [before, after].map((json) => `[${json === null ? '' : canonicalText(json)}]`).join();

/**
 * The JSON with sorted keys, and each number as it is written: 1.0 is not 1, and no digit is lost in a double. The
 * reviver sees the inner values first, so each value becomes its text.
 */
function canonicalText(json: string): string {
  const toText = (_key: string, value: unknown, { source = '' }: { source?: string }): string => {
    if (typeof value === 'number') return withoutExponent(source);
    if (Array.isArray(value)) return `[${value.join()}]`;
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`;
  };
  // The types do not know the third argument yet.
  return JSON.parse(json, toText as (key: string, value: unknown) => unknown) as string;
}

/** PostgreSQL writes exponents out, JavaScript writes some. */
const withoutExponent = (number: string): string =>
  /e/i.test(number)
    ? Number(number).toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 100 })
    : number;
