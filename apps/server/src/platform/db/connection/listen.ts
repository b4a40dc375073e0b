import type pg from 'pg';
import type { Logger } from '../../observe/log.ts';
import { createClient } from './connection.ts';
import { markDatabaseError, reportConnected } from './outage.ts';
import { cutConnection, hasStatements, limitSilence, WAITS } from './silence.ts';

const RECONNECT_MS = 500;

export interface ListenOptions {
  url: string;
  channel: string;
  applicationName: string;
  log: Logger;
  /**
   * Called for each notification with its payload, and once without one after each reconnect: notifications may have
   * been missed.
   */
  onNews: (payload?: string) => void;
  /** Runs after each connect, before `onNews`. */
  onConnect?: () => Promise<void>;
}

export interface Listening {
  /** Whether it listened at the last check, a few seconds ago. If not, notifications may be missed. */
  isLive(): boolean;
  close(): Promise<void>;
}

/**
 * Listens to notifications of the database on a connection of its own, and reconnects when it is lost.
 * Silence of a listening connection proves nothing, because it owes no answer: a query checks now and then
 * that it still listens.
 */
export function listen(options: ListenOptions): Listening {
  const { url, channel, applicationName, log, onNews, onConnect = async () => {} } = options;
  let client: pg.Client | null = null;
  let isClosed = false;
  let isLive = false;

  async function connect(): Promise<void> {
    if (isClosed) return;
    const next = createClient({ connectionString: url, application_name: applicationName });
    client = next;
    const again = () => {
      clearInterval(asking);
      if (isClosed || client !== next) return;
      client = null;
      isLive = false;
      setTimeout(() => void connect(), RECONNECT_MS).unref();
    };
    let asking: NodeJS.Timeout | undefined;
    next.on('error', again);
    next.on('end', again);
    next.on('notification', ({ payload }) => onNews(payload));
    try {
      await next.connect();
      limitSilence(next, WAITS.askMs);
      await next.query(`LISTEN ${channel}`);
      reportConnected();
      await onConnect();
      if (client !== next) return;
      isLive = true;
      asking = setInterval(() => void ask(next, channel), WAITS.askEveryMs).unref();
      onNews();
    } catch (error) {
      log.warn({ err: markDatabaseError(error), channel }, 'listening to the database failed');
      next.end().catch(() => {});
      again();
    }
  }
  void connect();

  return {
    isLive: () => isLive,
    async close() {
      isClosed = true;
      // A goodbye needs no answer.
      void client?.end().catch(() => {});
    },
  };
}

/**
 * Asks, unless an answer is still due. A pooler may have given the listening session's connection to another
 * client.
 */
async function ask(client: pg.Client, channel: string): Promise<void> {
  if (hasStatements(client)) return;
  const answer = await client
    .query('SELECT FROM pg_listening_channels() AS c WHERE c = $1', [channel])
    .catch(() => null); // the connection is lost, which another handler reports
  if (answer?.rowCount === 0) cutConnection(client, `it no longer listens to ${channel}`);
}
