import pg from 'pg';
import type { Logger } from '../log/log.ts';
import { markDatabaseError, reportConnected } from './outage.ts';

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

/** Listens to notifications of the database on a connection of its own, and reconnects when it is lost. */
export function listen(options: ListenOptions): { close(): Promise<void> } {
  const { url, channel, applicationName, log, onNews, onConnect = async () => {} } = options;
  let client: pg.Client | null = null;
  let isClosed = false;

  async function connect(): Promise<void> {
    if (isClosed) return;
    const next = new pg.Client({ connectionString: url, application_name: applicationName, keepAlive: true });
    client = next;
    const again = () => {
      if (isClosed || client !== next) return;
      client = null;
      setTimeout(() => void connect(), RECONNECT_MS).unref();
    };
    next.on('error', again);
    next.on('end', again);
    next.on('notification', ({ payload }) => onNews(payload));
    try {
      await next.connect();
      await next.query(`LISTEN ${channel}`);
      reportConnected();
      await onConnect();
      onNews();
    } catch (error) {
      log.warn({ err: markDatabaseError(error), channel }, 'listening to the database failed');
      next.end().catch(() => {});
      again();
    }
  }
  void connect();

  return {
    async close() {
      isClosed = true;
      await client?.end().catch(() => {});
    },
  };
}
