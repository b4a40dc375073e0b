import type { IncomingMessage } from 'node:http';
import type { VenueRequest } from '../venue.ts';

const BODY_BYTES_AT_MOST = 64 * 1024;

/** Reads a request to its end, or returns null for one that is too long. */
export async function readRequest(incoming: IncomingMessage): Promise<VenueRequest | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_AT_MOST) return null;
    chunks.push(chunk);
  }
  const received = Buffer.concat(chunks);
  const target = incoming.url ?? '/';
  const mark = target.indexOf('?');
  const query = mark === -1 ? '' : target.slice(mark + 1);
  return {
    method: incoming.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query,
    params: new URLSearchParams(query),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(',') : value,
      ]),
    ),
    body: received.toString('utf8'),
    bytes: received,
    ip: (incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
  };
}
