import type { ChangeEvent } from '@copydesk/contract/operations';
import { EventSource } from 'eventsource';
import type { Credentials } from '../api/call.ts';
import { sendAsChosen } from '../api/chosen-send.ts';

const RETRY_FIRST_MS = 2_000;
const RETRY_LONGEST_MS = 60_000;

/** The server sends something at least every 8 s. After this much silence the stream counts as cut. */
export const HEARD_WITHIN_MS = 20_000;

/** A change of the contract, or one of a newer server, which this version of the console cannot name. */
export type Change = ChangeEvent | { topic: 'unknown'; at: string; read_position?: string | undefined };

/**
 * News of the stream: it opens (perhaps after changes were missed), sends something, reports a change, is
 * cut. Changes have the position after which the next ones come; null: not given. A resumed stream sends what
 * was missed. `logPosition`: how far the tab with the stream has seen, so that the others read no older state.
 */
export type StreamNews =
  | { kind: 'open'; hadGap: boolean; isResumed: boolean; logPosition: string | null }
  | { kind: 'heard' }
  | { kind: 'change'; change: Change; position: bigint | null }
  | { kind: 'cut' };

/**
 * From where a stream reports changes: a position; null: from its opening on; 'gap': the same, with some
 * missed.
 */
export type Since = bigint | null | 'gap';

export type StreamCredentials = Pick<Credentials, 'getToken' | 'onLost'>;

/**
 * Follows `GET /api/events` until closed. The browser's own EventSource cannot send a bearer token, hence the
 * package. It reconnects automatically while the server answers; after a refusal this code reconnects, with
 * growing delays.
 * @param since from where it reports changes when it opens for the first time
 * @returns a function that closes it
 */
export function openChangeStream(
  credentials: StreamCredentials,
  tell: (news: StreamNews) => void,
  since: Since,
): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let hadGap = since === 'gap';
  let isResumed = false;
  let failures = 0;
  let logPosition: string | null = null;

  const withToken = async (url: string | URL, init: RequestInit) => {
    const send = (token: string | null) => {
      const headers = new Headers(init.headers);
      if (token) headers.set('authorization', `Bearer ${token}`);
      // After a gap everything is read again.
      if (typeof since === 'bigint' && !hadGap && !headers.has('last-event-id'))
        headers.set('last-event-id', String(since));
      isResumed = headers.has('last-event-id');
      return sendAsChosen(url, { ...init, headers });
    };
    const response = await send(await credentials.getToken());
    const answer =
      response.status === 401 ? await send(await credentials.getToken({ force: true })) : response;
    logPosition = answer.headers.get('copydesk-position');
    return withListener(answer, () => {
      listen();
      tell({ kind: 'heard' });
    });
  };

  const listen = () => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(onSilence, HEARD_WITHIN_MS);
  };
  // A silently cut connection stays open on this side for minutes.
  const onSilence = () => {
    hadGap = true;
    tell({ kind: 'cut' });
    source?.close();
    clearTimeout(timer);
    connect();
  };

  const connect = () => {
    source = new EventSource('/api/events', { fetch: withToken });
    source.onopen = () => {
      tell({ kind: 'open', hadGap, isResumed, logPosition });
      hadGap = false;
      failures = 0;
      listen();
    };
    source.onmessage = (message) => {
      const change = readChange(message.data);
      const position = /^\d{1,20}$/.test(message.lastEventId) ? BigInt(message.lastEventId) : null;
      if (change) tell({ kind: 'change', change, position });
    };
    source.onerror = () => {
      hadGap = true;
      tell({ kind: 'cut' });
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(connect, Math.min(RETRY_FIRST_MS * 2 ** failures++, RETRY_LONGEST_MS));
    };
  };

  connect();
  return () => {
    clearTimeout(timer);
    clearTimeout(silenceTimer);
    source?.close();
  };
}

/** The same response with a callback for every chunk: the heartbeat is a comment, which raises no event. */
function withListener(response: Response, onPiece: () => void) {
  const { url, status, redirected, headers } = response;
  const listener = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, out) {
      onPiece();
      out.enqueue(piece);
    },
  });
  return { url, status, redirected, headers, body: response.body?.pipeThrough(listener) ?? null };
}

/** What an event names: one thing, a trader's, or nothing. The contract's schema is not shipped to the browser. */
const NAMES = {
  trader: 'thing',
  community: 'thing',
  provider: 'thing',
  payout: 'thing',
  pool: 'thing',
  export: 'thing',
  bulk_act: 'thing',
  invoice: 'of trader',
  payment: 'of trader',
  stop: 'nothing',
  own_setting: 'nothing',
  attention: 'nothing',
  reset: 'nothing',
} as const satisfies Record<ChangeEvent['topic'], string>;

/** The change that an event is about; null: it is no event. */
export function readChange(data: string): Change | null {
  const event = parse(data);
  if (isChangeEvent(event)) return event;
  const { topic, at, read_position: read } = event;
  if (typeof topic !== 'string' || typeof at !== 'string') return null;
  // What is no position of the log the server ignores.
  return { topic: 'unknown', at, read_position: read as string | undefined };
}

function parse(data: string): Record<string, unknown> {
  try {
    const event: unknown = JSON.parse(data);
    return typeof event === 'object' && event !== null ? { ...event } : {};
  } catch {
    return {};
  }
}

function isChangeEvent(event: Record<string, unknown>): event is ChangeEvent {
  const { topic, id, trader_id, at } = event;
  if (typeof topic !== 'string' || typeof at !== 'string' || !isTopic(topic)) return false;
  const isNamed = id === null || typeof id === 'string';
  if (NAMES[topic] === 'of trader') return isNamed && typeof trader_id === 'string';
  if (NAMES[topic] === 'nothing') return id === null && trader_id === null;
  return trader_id === null && (topic === 'trader' ? isNamed : typeof id === 'string');
}

const isTopic = (topic: string): topic is ChangeEvent['topic'] => Object.hasOwn(NAMES, topic);
