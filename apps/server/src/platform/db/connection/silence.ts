import type { Socket } from 'node:net';
import type pg from 'pg';
import { markDatabaseError } from './outage.ts';

/**
 * How long this process waits for the database. One set for all connections, because a shutdown shortens them together,
 * and tests do.
 */
export const WAITS = {
  /** For a connection to open. */
  connectMs: 10_000,
  /** For BEGIN, which waits for no lock and reads no table: a server that lives answers at once. */
  beginMs: 10_000,
  /** For a statement, beyond the limit at which the server cancels it and says so. */
  marginMs: 5_000,
  /** For the next rows of a cursor. */
  rowsMs: 25_000,
  /** For the close of a connection that said goodbye. */
  goodbyeMs: 5_000,
  /** Of a connection that listens, between two questions whether it still does. */
  askEveryMs: 15_000,
  /** For the answer to that question. */
  askMs: 5_000,
  /** Of a statement that may take hours, between two questions whether the server works on it. */
  workEveryMs: 20_000,
  /** Upper limit of every wait. */
  mostMs: Number.POSITIVE_INFINITY,
};

/**
 * A shutdown has only the time that a service manager gives it, so it does not wait long for a silent
 * connection. Work that ends may wait twice: for its statement, and for one that began meanwhile.
 */
const HURRIED = { connectMs: 2_000, mostMs: 3_000 };
let isHurried = false;

/** Shortens all waits, because the process shuts down. */
export function hurry(): void {
  Object.assign(WAITS, HURRIED);
  isHurried = true;
}

/**
 * Silence is counted in looks, not by the clock: after a pause of this process, answers that arrived
 * meanwhile are read first.
 */
const LOOK_EVERY_MS = 250;

/** Of the driver, whose version is pinned. */
interface Inner {
  connection: { stream: Socket };
  _ending: boolean;
  _getActiveQuery(): unknown;
  _sentQueryQueue: readonly unknown[];
  _queryQueue: readonly unknown[];
}

interface Watched {
  client: pg.ClientBase;
  owes: () => boolean;
  limitMs: number;
  silentMs: number;
  bytesRead: number;
  /** A count of looks. */
  heardAt: number;
}

const watched = new Map<pg.ClientBase, Watched>();
let looks = 0;
let looking: NodeJS.Timeout | undefined;

const innerOf = (client: pg.ClientBase) => client as unknown as Inner;
const streamOf = (client: pg.ClientBase) => innerOf(client).connection.stream;

/** Whether statements of a connection have no full answer yet. */
export function hasStatements(client: pg.ClientBase): boolean {
  const { _sentQueryQueue: sent, _queryQueue: queued } = innerOf(client);
  return Boolean(innerOf(client)._getActiveQuery()) || sent.length > 0 || queued.length > 0;
}

/**
 * Ends a connection that owes an answer and sends no byte for longer than its limit: its host froze, or a firewall or a
 * failover forgot it, and neither side would ever learn of it. Nothing more is sent over it, and no pool takes it back.
 * @param client that is connected
 * @param limitMs until `limitSilence` says otherwise
 * @param owes whether an answer is due; while statements are under way, when omitted
 */
export function watchSilence(
  client: pg.ClientBase,
  limitMs: number,
  owes: () => boolean = () => hasStatements(client),
): void {
  const { bytesRead } = streamOf(client);
  watched.set(client, { client, owes, limitMs, silentMs: 0, bytesRead, heardAt: looks });
  client.once('end', () => {
    watched.delete(client);
    if (watched.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  });
  looking ??= setInterval(look, LOOK_EVERY_MS).unref();
}

/** Sets how long a connection may be silent while it owes an answer. */
export function limitSilence(client: pg.ClientBase, limitMs: number): void {
  const watch = watched.get(client);
  if (watch) watch.limitMs = limitMs;
}

/** Ends a connection without a word over it. Its statements fail with the error. */
export function cutConnection(client: pg.ClientBase, why: string): void {
  // The text of the driver, which `isDatabaseGone` knows.
  streamOf(client).destroy(markDatabaseError(new Error(`Connection terminated: ${why}`)));
}

function look(): void {
  looks += 1;
  for (const watch of [...watched.values()]) {
    const { client } = watch;
    const { bytesRead } = streamOf(client);
    const isLeaving = innerOf(client)._ending;
    if (bytesRead !== watch.bytesRead) Object.assign(watch, { bytesRead, silentMs: 0, heardAt: looks });
    else if (isLeaving || watch.owes()) watch.silentMs += LOOK_EVERY_MS;
    else watch.silentMs = 0;
    const limitMs = isLeaving ? WAITS.goodbyeMs : watch.limitMs;
    if (watch.silentMs >= Math.min(limitMs, WAITS.mostMs)) giveUp(watch);
  }
}

function giveUp({ client, silentMs }: Watched): void {
  watched.delete(client);
  cutConnection(client, `the database was silent for ${silentMs / 1_000} s`);
  // The cause probably hit other connections too. Those heard from since then are alive; the rest end now, or
  // requests would find them one by one. An idle connection that dies leaves its pool.
  // The statement was sent before this look, and bytes noticed in the same look may have come earlier: hence
  // one look more. A shutdown has no time to wait for them in turn: it lets go of all.
  const since = isHurried ? looks : looks - silentMs / LOOK_EVERY_MS + 1;
  for (const other of watched.values())
    if (other.heardAt <= since && !other.owes() && !innerOf(other.client)._ending)
      cutConnection(other.client, 'another connection was silent');
}
