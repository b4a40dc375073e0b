import type { Duplex } from 'node:stream';
import type pg from 'pg';

/**
 * Sends everything queued until the next turn of the event loop in one write: the start of a transaction, its context
 * and its first statement. Every separate write wakes the server once more; three of them were a quarter of the API's
 * time.
 */
export function sendTogether(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
