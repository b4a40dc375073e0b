import type { Scope } from '@copydesk/domain/access';
import { scopeOf } from '@copydesk/domain/access';
import type { FastifyReply } from 'fastify';
import { formatPosition, LOG_POSITION_HEADER } from '../../platform/db/position.ts';
import { chosenBy } from '../../platform/http/chosen-headers.ts';
import type { Batch, ChangeFeed } from '../../platform/http/events/change-feed.ts';
import { type HttpRequest, STREAMED } from '../../platform/http/handlers.ts';
import type { Identity, Principal } from '../../platform/identity/identity.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { StreamSeats } from './stream-seats.ts';

/**
 * Proxies close silent connections; regular comments keep them open. None are sent while this process does not receive
 * changes: a console must not show itself as live then, and loads its data again after a long silence. Two heartbeats fit
 * into the 20 s after which a silent console no longer shows itself as live.
 */
const HEARTBEAT_MS = 8_000;
/**
 * A withdrawn access ends the stream at once. The token's own expiry ends it within this time, and the client
 * reconnects.
 */
const RECHECK_MS = 30_000;
/** A client with this much unread data is disconnected; it reconnects and continues from its position. */
const MAX_BUFFERED_BYTES = 1_000_000;

export interface EventStreamDeps {
  feed: ChangeFeed;
  identity: Identity;
  seats: StreamSeats;
}

/** The largest transaction number. */
const LAST_POSITION = 2n ** 64n - 1n;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Answers HEAD with the headers of the stream, which takes no seat and ends at once. */
export function answerHead(reply: FastifyReply): typeof STREAMED {
  reply.headers(STREAM_HEADERS).send();
  return STREAMED;
}

/** Sends server-sent events until either side closes. The id of each is the position to resume from. */
export async function streamChanges(
  { feed, identity, seats }: EventStreamDeps,
  scope: Scope,
  request: HttpRequest,
  reply: FastifyReply,
): Promise<typeof STREAMED> {
  const from = positionOf(request.headers['last-event-id']);
  const leave = request.principal && seats.take(request.principal);
  if (!leave) throw new Refusal('too_many_streams');
  const socket = reply.raw;
  let isOpen = true;
  let unsubscribe: () => void = () => {};

  function send(text: string): void {
    if (!isOpen) return;
    socket.write(text);
    if (socket.writableLength > MAX_BUFFERED_BYTES) socket.destroy();
  }
  function receive({ position, events, seen }: Batch): void {
    const read = seen === null ? {} : { read_position: formatPosition(seen) };
    const data = (event: object) => JSON.stringify({ ...event, ...read });
    const lines = events.map((event) => `id: ${position}\ndata: ${data(event)}\n\n`);
    // Without events, the position is still sent.
    send(lines.length > 0 ? lines.join('') : `event: position\nid: ${position}\ndata: ${data({})}\n\n`);
  }

  const heartbeat = setInterval(() => {
    if (feed.isLive()) send(': still here\n\n');
  }, HEARTBEAT_MS);
  const check = async () => {
    const result = await identity
      .authenticate(request.headers.authorization, { fresh: true, ...chosenBy(request) })
      .catch(() => null);
    const isSame = result?.ok && JSON.stringify(scopeOf(result.principal.flags)) === JSON.stringify(scope);
    if (!isSame) socket.end();
  };
  const recheck = setInterval(check, RECHECK_MS);
  const unwatch = identity.watch((userId) => {
    if (userId === null || (request.principal && concerns(userId, request.principal))) void check();
  });
  socket.on('close', () => {
    isOpen = false;
    clearInterval(heartbeat);
    clearInterval(recheck);
    unwatch();
    leave();
    unsubscribe();
    // A disconnected client has closed only its half; a shutdown would wait for the other half indefinitely.
    request.raw.socket.destroy();
  });

  const early: Batch[] = [];
  let deliver = (batch: Batch): void => void early.push(batch);
  try {
    unsubscribe = await feed.subscribe(
      {
        scope,
        userId: request.principal && ownId(request.principal),
        receive: (batch) => deliver(batch),
        end: () => socket.end(),
      },
      from,
    );
  } catch (error) {
    clearInterval(heartbeat);
    clearInterval(recheck);
    unwatch();
    leave();
    throw error; // nothing was sent yet: the client gets an ordinary error
  }
  // Known before the first event: a console reads everything again as soon as the stream opens.
  const seen = early.at(-1)?.seen ?? null;
  if (seen !== null) reply.header(LOG_POSITION_HEADER, formatPosition(seen));
  reply.hijack();
  socket.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    ...STREAM_HEADERS,
  });
  send('retry: 2000\n\n');
  deliver = receive;
  early.forEach(receive);
  return STREAMED;
}

/** Whether a user is this caller, or the super admin behind it. */
function concerns(userId: string, principal: Principal): boolean {
  const behind = principal.kind === 'user' ? principal.impersonator?.id : undefined;
  return userId === principal.id || userId === behind;
}

/**
 * The person whose own changes are sent: none for a program, or for a super admin who views as another
 * person.
 */
const ownId = (principal: Principal): string | null =>
  principal.kind === 'user' && !principal.impersonator ? principal.id : null;

/** The position at which a client resumes. Positions are numbers; anything else is ignored. */
function positionOf(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || !/^\d+$/.test(header)) return null;
  if (header.length > 20 || BigInt(header) > LAST_POSITION)
    throw new Refusal('validation_failed', { message: 'Last-Event-ID: Number must be less than 2^64' });
  return header;
}
