import type { ChangeEvent } from '@copydesk/contract/operations';
import type { Scope } from '@copydesk/domain/access';
import { sql } from 'kysely';
import { listen } from '../../db/connection/listen.ts';
import { type Database, type Tx, WHOLE_SCOPE } from '../../db/database.ts';
import { withSeen } from '../../db/position.ts';
import type { Logger } from '../../observe/log.ts';

/** Above this many changes at once, listeners get a reload instead. */
const BATCH_LIMIT = 500;
/** Changes that follow each other closely are read together. */
const GATHER_MS = 30;
/** A wake-up is lost with the process that was to send it. */
const LOOK_EVERY_MS = 2_000;
/** Retries changes that could not be read after this long, because no notification may follow. */
const AGAIN_MS = 1_000;
/** The events of every person: what this process reads for all of its subscribers. */
const ANYONE = Symbol('anyone');

type Stored = ChangeEvent & {
  seq: string;
  provider_ids: string[];
  /** The one person who receives it; null: those in the scope. */
  user_id: string | null;
};

export interface Batch {
  /** Cursor after this batch: newer events have a transaction at or above it. */
  position: string;
  events: ChangeEvent[];
  /** How far in the leader's log these changes were read, for `copydesk-position`; null: there are no replicas. */
  seen: bigint | null;
}

export interface Subscriber {
  scope: Scope;
  /** The person whose own changes it also gets; null: none. */
  userId: string | null;
  receive: (batch: Batch) => void;
  /** No more batches follow: the process shuts down. */
  end: () => void;
}

export interface ChangeFeed {
  /**
   * Subscribes to the changes in a scope.
   * @param from position of the last batch before the subscriber lost its connection; the missed changes, or `reset`
   * when they are no longer known, arrive at once
   */
  subscribe(subscriber: Subscriber, from: string | null): Promise<() => void>;
  /**
   * A position from which a reader that reads now can subscribe later without missing a change; null: not
   * known yet. Every read from now on sees what committed before it.
   */
  position(): string | null;
  /** Whether subscribers have every change that this process could know of; without, they may have missed some. */
  isLive(): boolean;
  close(): Promise<void>;
}

/**
 * One listening connection for all subscribers of this process. The notification is empty: it only says that the table
 * has new rows. Events can commit in another order than they were numbered, so a position is the oldest transaction
 * that was still running, and everything above it is sent again rather than missed.
 */
export function createChangeFeed(options: {
  url: string;
  db: Database;
  log: Logger;
  onChange: () => void;
}): ChangeFeed {
  const { url, db, log, onChange } = options;
  const subscribers = new Set<Subscriber>();
  let position = '0';
  let sent: string[] = [];
  let gathering: NodeJS.Timeout | null = null;
  let reading: Promise<void> = Promise.resolve();
  let isBehind = false;
  let isClosed = false;

  /** What consoles read because of a change has to have it, and so has what is counted again here. */
  async function readSeen<T>(read: () => Promise<T>): Promise<{ value: T; seen: bigint | null }> {
    const found = await withSeen(read);
    if (found.seen !== null) db.replicas?.need(found.seen);
    return found;
  }

  async function readNews(): Promise<void> {
    const { value: news, seen } = await readSeen(() =>
      readSince(db, { scope: WHOLE_SCOPE, userId: ANYONE }, position, sent),
    );
    const fresh = news.events;
    // Only events at or above the new position can come again.
    sent = news.ids;
    position = news.position;
    if (fresh.length === 0) return;
    // A change of one person's own belongs to no list and no sum.
    if (fresh.some(({ user_id }) => user_id === null)) onChange();
    for (const subscriber of subscribers) {
      const { receive } = subscriber;
      const own = fresh.filter((event) => isSeenBy(subscriber, event));
      if (news.isTruncated) receive({ position, seen, events: [resetEvent()] });
      else if (own.length > 0) receive({ position, seen, events: own.map(toWire) });
    }
  }

  function gather(afterMs = GATHER_MS): void {
    gathering ??= setTimeout(() => {
      gathering = null;
      reading = reading.then(readNews).then(
        () => {
          isBehind = false;
        },
        (error) => {
          log.warn({ err: error }, 'reading changes failed');
          isBehind = true;
          if (!isClosed) gather(AGAIN_MS);
        },
      );
    }, afterMs);
  }

  const line = listen({
    url,
    channel: 'copydesk_change',
    applicationName: 'copydesk-events',
    log,
    onNews: () => gather(),
    onConnect: async () => {
      if (position === '0') position = (await readSeen(() => currentPosition(db))).value;
    },
  });

  const looking = setInterval(() => line.isLive() && gather(), LOOK_EVERY_MS);
  const isLive = () => line.isLive() && !isBehind;

  return {
    async subscribe(subscriber, from) {
      const { receive } = subscriber;
      // Subscribe first, then read the missed events: one in between comes twice, none is lost.
      subscribers.add(subscriber);
      try {
        const isNow = isLive() && from === position;
        const { value, seen } = await readSeen(() =>
          from === null ? openedNow(db) : missedSince(db, subscriber, from, isNow),
        );
        receive({ ...value, seen });
      } catch (error) {
        subscribers.delete(subscriber);
        throw error;
      }
      return () => subscribers.delete(subscriber);
    },
    position: () => (position === '0' ? null : position),
    isLive,
    async close() {
      isClosed = true;
      clearInterval(looking);
      for (const { end } of subscribers) end();
      if (gathering) clearTimeout(gathering);
      await reading;
      await line.close();
    },
  };
}

async function currentPosition(db: Database): Promise<string> {
  return db.read(WHOLE_SCOPE, async (tx) => {
    const { rows } = await sql<{
      position: string;
    }>`SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS position`.execute(tx.sql);
    return rows[0]?.position ?? '0';
  });
}

const openedNow = async (db: Database) => ({ position: await currentPosition(db), events: [] });

/** @param known events at or above the position that were read before */
async function readSince(
  db: Database,
  { scope, userId }: { scope: Scope; userId: string | null | typeof ANYONE },
  from: string,
  known: readonly string[] = [],
) {
  const caller = typeof userId === 'string' ? { kind: 'user' as const, id: userId } : undefined;
  const isFor = userId === ANYONE ? sql`true` : sql`(user_id IS NULL OR user_id = ${userId})`;
  const read = async (tx: Tx) => {
    // One statement, so that the events and the position belong to one snapshot.
    const unknown = sql`xid >= ${from}::xid8 AND id <> ALL (${[...known]}::bigint[]) AND ${isFor}`;
    const { rows } = await sql<{ position: string; events: Stored[]; ids: string[]; is_known: boolean }>`
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS position,
        EXISTS (SELECT FROM change_event WHERE xid < ${from}::xid8) AS is_known,
        coalesce((SELECT json_agg(e) FROM (
          SELECT id::text AS seq, topic, entity_id AS id, trader_id, at, provider_ids, user_id
          FROM change_event WHERE ${unknown} ORDER BY change_event.id LIMIT ${BATCH_LIMIT + 1}) e), '[]') AS events,
        ARRAY(SELECT id::text FROM change_event WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())) AS ids`.execute(
      tx.sql,
    );
    const row = rows[0] ?? { position: from, events: [], ids: [], is_known: false };
    return { ...row, isTruncated: row.events.length > BATCH_LIMIT };
  };
  return db.read(scope, read, caller);
}

/** @param isNow whether nothing has come after the position until a moment ago */
async function missedSince(
  db: Database,
  subscriber: Subscriber,
  from: string,
  isNow: boolean,
): Promise<Omit<Batch, 'seen'>> {
  const { position, events, is_known, isTruncated } = await readSince(db, subscriber, from);
  // Events are kept for a day. When no event from before the position remains, later ones may be missing too.
  const isComplete = (isNow || is_known) && !isTruncated;
  return { position, events: isComplete ? events.map(toWire) : [resetEvent()] };
}

function isSeenBy({ scope, userId }: Subscriber, event: Stored): boolean {
  if (event.user_id !== null) return event.user_id === userId;
  return scope.kind === 'all' || event.provider_ids.some((id) => scope.providerIds.includes(id));
}

function toWire({ seq: _, provider_ids: __, user_id: ___, ...event }: Stored): ChangeEvent {
  return { ...event, at: new Date(event.at).toISOString() };
}

function resetEvent(): ChangeEvent {
  return { topic: 'reset', id: null, trader_id: null, at: new Date().toISOString() };
}
