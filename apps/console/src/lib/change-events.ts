import type { ChangeEvent } from '@copydesk/contract';
import { EventSource } from 'eventsource';
import type { Credentials } from './call.ts';
import { lastHeardAt, liveStatus } from './live-status.ts';
import { createStore } from './store.ts';

const RETRY_FIRST_MS = 2_000;
const RETRY_LONGEST_MS = 60_000;
/** The server ends a stream with its token; the reconnection that follows at once is nobody's concern. */
const OFFLINE_AFTER_MS = 5_000;

/** The server says something at least every 8 s. After this long without, the stream is as good as cut. */
const HEARD_WITHIN_MS = 20_000;

/** When the latest change that the lists must show happened, in ms by the server's clock; 0 before the first. */
export const shownChangeAt = createStore(0);

/**
 * Follows `GET /api/events` until closed. The browser's own EventSource cannot send a bearer token, hence the
 * package. It reconnects by itself while the server answers; after a refusal we do, ever more slowly.
 */
export function followChanges(
  credentials: Pick<Credentials, 'getToken' | 'onLost'>,
  onChange: (change: ChangeEvent) => void,
): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let offlineTimer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let hadGap = false;
  let failures = 0;

  const withToken = async (url: string | URL, init: RequestInit) => {
    const send = (token: string | null) => {
      const headers = new Headers(init.headers);
      if (token) headers.set('authorization', `Bearer ${token}`);
      return fetch(url, { ...init, headers });
    };
    const response = await send(await credentials.getToken());
    const answer =
      response.status === 401 ? await send(await credentials.getToken({ force: true })) : response;
    return withListener(answer, heard);
  };

  const heard = () => {
    lastHeardAt.set(Date.now());
    if (liveStatus.get() === 'offline') liveStatus.set('live');
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(onSilence, HEARD_WITHIN_MS);
  };
  // A connection that was cut without a word stays open on this side for minutes.
  const onSilence = () => {
    liveStatus.set('offline');
    hadGap = true;
    source?.close();
    clearTimeout(timer);
    connect();
  };

  const connect = () => {
    source = new EventSource('/api/events', { fetch: withToken });
    source.onopen = () => {
      // Whatever changed while we were away was not told: reload once.
      if (hadGap) onChange({ topic: 'reset', id: null, at: '' });
      clearTimeout(offlineTimer);
      offlineTimer = undefined;
      hadGap = false;
      failures = 0;
      heard();
      liveStatus.set('live');
    };
    source.onmessage = (message) => {
      const change = readChange(message.data);
      if (change) onChange(change);
    };
    source.onerror = () => {
      hadGap = true;
      offlineTimer ??= setTimeout(() => liveStatus.set('offline'), OFFLINE_AFTER_MS);
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(connect, Math.min(RETRY_FIRST_MS * 2 ** failures++, RETRY_LONGEST_MS));
    };
  };

  connect();
  return () => {
    clearTimeout(timer);
    clearTimeout(offlineTimer);
    clearTimeout(silenceTimer);
    source?.close();
    liveStatus.set('connecting');
  };
}

/** The same answer, of which every piece is noticed as it arrives: the heartbeat is a comment, which no event tells of. */
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

export function readChange(data: string): ChangeEvent | null {
  try {
    const change = JSON.parse(data);
    return typeof change?.topic === 'string' ? change : null;
  } catch {
    return null;
  }
}
