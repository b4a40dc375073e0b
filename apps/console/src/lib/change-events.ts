import type { ChangeEvent } from '@copydesk/contract';
import { EventSource } from 'eventsource';
import type { Credentials } from './call.ts';
import { sendAsChosen } from './chosen-send.ts';
import { lastHeardAt, liveStatus } from './live-status.ts';
import { createStore } from './store.ts';

const RETRY_FIRST_MS = 2_000;
const RETRY_LONGEST_MS = 60_000;
/** The server ends a stream when its token expires; the immediate reconnection is not worth showing. */
const OFFLINE_AFTER_MS = 5_000;

/** The server sends something at least every 8 s. After this much silence the stream counts as cut. */
const HEARD_WITHIN_MS = 20_000;

/** The time of the latest change that the lists must show, in ms by the server's clock; 0 before the first. */
export const shownChangeAt = createStore(0);

/**
 * Follows `GET /api/events` until closed. The browser's own EventSource cannot send a bearer token, hence the package.
 * It reconnects automatically while the server answers; after a refusal this code reconnects, with growing delays.
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
      return sendAsChosen(url, { ...init, headers });
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
  // A silently cut connection stays open on this side for minutes.
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
      // Changes during the gap were missed: reload once.
      if (hadGap) onChange({ topic: 'reset', id: null, trader_id: null, at: '' });
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

export function readChange(data: string): ChangeEvent | null {
  try {
    const change = JSON.parse(data);
    return typeof change?.topic === 'string' ? change : null;
  } catch {
    return null;
  }
}
