import type { Kysely } from 'kysely';
import type pg from 'pg';
import { APPLICATION_ROLE, createPool } from '../connection/connection.ts';
import { isDatabaseGone } from '../connection/outage.ts';
import { cutConnection } from '../connection/silence.ts';
import type { Positions } from '../position.ts';
import type { DB } from '../schema.ts';
import { createLeaderLog, MOST_BEHIND_MS } from './leader-log.ts';
import {
  beginOnReplica,
  endRead,
  isOfReplica,
  type Place,
  readLeader,
  readPlace,
} from './read-on-replica.ts';

/** How often the leader and its replicas are asked where they are. */
const LOOK_EVERY_MS = 1_000;
/** A replica that cannot be reached is left alone for this long: each attempt costs a reader time. */
const REST_MS = 5_000;
/** The leader answers instead, so no reader waits for long. */
const CONNECT_MS = 1_000;
/** After as many looks without an answer, what is under way on a replica is cut off, and read on the leader. */
const CUT_AFTER = 2;

/** A replica, as operators see it. */
export interface ReplicaState {
  /** Null: it cannot be reached, or is further behind than is remembered, which is 15 s. */
  behindMs: number | null;
  isUsed: boolean;
}

/** The read was not done here: the leader has to. */
export const NOT_READ = Symbol('not read on a replica');

/** What a read on a replica needs. */
export interface ReplicaRead {
  context: Parameters<typeof beginOnReplica>[1];
  /** Looked at when the read begins: a shared read may need more by then than when it was asked for. */
  positions: Positions;
}

export interface Replicas {
  /**
   * Runs `work` on a replica that has what the read needs.
   * @throws what `work` throws, unless the replica is the reason
   */
  read<T>(read: ReplicaRead, work: (sql: Kysely<DB>) => Promise<T>): Promise<T | typeof NOT_READ>;
  /** The address of the replica whose turn it is, for a connection of one's own; null: none is used. */
  chooseUrl(): string | null;
  /** Whether a connection is to a replica that has what a read needs. @param place as `beginOnReplica` found it */
  isFit(place: Place, positions: Positions): boolean;
  /** See `LeaderLog`. */
  need(position: bigint): void;
  needNext(): void;
  states(): ReplicaState[];
  /** Reads of lists and figures so far, by where they were answered. */
  readonly counts: { leader: number; replica: number };
  /** Asks the leader and the replicas once where they are. */
  look(): Promise<void>;
  /** Looks every second, until closed. */
  start(): void;
  close(): Promise<void>;
}

interface Replica {
  url: string;
  pool: pg.Pool;
  most: number;
  /** Connections with a read under way. */
  busy: Set<pg.PoolClient>;
  restsUntilMs: number;
  /** As of the last look. */
  replayed: bigint | null;
  failedLooks: number;
}

/**
 * The replicas of an API, in turn. Nothing is remembered of where an address is: there may be several replicas behind
 * it. Each read asks its own connection, before it reads.
 * @param options.now a clock in ms that never goes back
 */
export function createReplicas(options: {
  urls: readonly string[];
  leader: pg.Pool;
  maxConnections?: number;
  hasUnnamedStatements?: boolean;
  now: () => number;
}): Replicas {
  const { leader, now, maxConnections = 10 } = options;
  const replicas = options.urls.map((url): Replica => {
    const pool = createPool({
      url,
      role: APPLICATION_ROLE,
      applicationName: 'copydesk-replica',
      maxConnections,
      connectionTimeoutMs: CONNECT_MS,
      hasUnnamedStatements: options.hasUnnamedStatements ?? false,
      isReplica: true,
    });
    return {
      url,
      pool,
      most: maxConnections,
      busy: new Set(),
      restsUntilMs: 0,
      replayed: null,
      failedLooks: 0,
    };
  });
  const log = createLeaderLog(now);
  const counts = { leader: 0, replica: 0 };
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;

  const isResting = ({ restsUntilMs }: Replica) => restsUntilMs > now();
  const hasRoom = ({ pool, most }: Replica) => pool.idleCount > 0 || pool.totalCount < most;
  const rest = (replica: Replica) => {
    replica.restsUntilMs = now() + REST_MS;
  };

  function choose(): Replica | null {
    if (log.required() === null) return null;
    for (let tried = 0; tried < replicas.length; tried += 1) {
      const replica = replicas[turn++ % replicas.length];
      if (replica && !isResting(replica) && hasRoom(replica)) return replica;
    }
    return null;
  }

  function isFit({ timeline, replayed }: Place, { needed }: Positions): boolean {
    const required = log.required();
    if (needed === null || required === null || replayed === null) return false;
    return timeline === required.timeline && replayed >= required.position && replayed >= needed;
  }

  async function readOn<T>(
    replica: Replica,
    { context, positions }: ReplicaRead,
    work: (sql: Kysely<DB>) => Promise<T>,
  ): Promise<T | typeof NOT_READ> {
    let client: pg.PoolClient;
    try {
      client = await replica.pool.connect();
    } catch {
      rest(replica);
      return NOT_READ;
    }
    replica.busy.add(client);
    let isBroken = false;
    try {
      const { place, sql } = await beginOnReplica(client, context);
      // No await from here to the work: what a shared read needs may not grow in between.
      if (!isFit(place, positions)) {
        isBroken = place.replayed === null; // it leads now, or did
        await client.query('COMMIT');
        return NOT_READ;
      }
      const value = await work(sql);
      await endRead(client, positions);
      return value;
    } catch (error) {
      isBroken = isDatabaseGone(error) || !(await rollBack(client));
      if (isDatabaseGone(error)) rest(replica);
      if (isOfReplica(error)) return NOT_READ;
      throw error;
    } finally {
      replica.busy.delete(client);
      client.release(isBroken);
    }
  }

  async function lookAt(replica: Replica): Promise<void> {
    // All connections are at work, so it answers.
    if (!hasRoom(replica)) return;
    try {
      replica.replayed = await readPlace(replica.pool);
      replica.restsUntilMs = 0;
      replica.failedLooks = 0;
    } catch {
      replica.replayed = null;
      replica.failedLooks += 1;
      rest(replica);
      if (replica.failedLooks < CUT_AFTER) return;
      for (const client of replica.busy) cutConnection(client, 'its replica does not answer');
    }
  }

  async function lookAtLeader(): Promise<void> {
    const found = log.begin();
    const place = await readLeader(leader).catch(() => null);
    if (place) found(place);
  }

  // A replica that does not answer delays no look at the others, nor at the leader.
  const looks = [lookAtLeader, ...replicas.map((replica) => () => lookAt(replica))].map(oneAtATime);
  const look = async () => {
    await Promise.all(looks.map((once) => once()));
  };

  return {
    counts,
    async read(read, work) {
      const replica = read.positions.needed === null ? null : choose();
      const value = replica ? await readOn(replica, read, work) : NOT_READ;
      counts[value === NOT_READ ? 'leader' : 'replica'] += 1;
      return value;
    },
    chooseUrl: () => choose()?.url ?? null,
    isFit,
    need: log.need,
    needNext: log.needNext,
    states: () =>
      replicas.map((replica) => {
        const behindMs = replica.replayed === null ? null : log.behindMs(replica.replayed);
        const isUsed = !isResting(replica) && behindMs !== null && behindMs <= MOST_BEHIND_MS;
        return { behindMs, isUsed };
      }),
    look,
    start() {
      void look();
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS).unref();
    },
    async close() {
      clearInterval(timer);
      await Promise.all(replicas.map(({ pool }) => pool.end()));
    },
  };
}

/** Runs `work` unless it still runs: then its end is awaited. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}

/** Whether the connection can go on. */
const rollBack = (client: pg.PoolClient): Promise<boolean> =>
  client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
