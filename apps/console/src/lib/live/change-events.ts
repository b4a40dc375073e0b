import {
  type Change,
  HEARD_WITHIN_MS,
  openChangeStream,
  type Since,
  type StreamCredentials,
  type StreamNews,
} from './change-stream.ts';
import { type LiveStatus, lastHeardAt, liveStatus } from './live-status.ts';
import { noteReadPosition, takeReadPosition } from './read-position.ts';
import { createRecentChanges, RESET } from './recent-changes.ts';
import { type StreamTabs, shareStream } from './share-stream.ts';

/** The server ends a stream when its token expires; the immediate reconnection is not worth showing. */
const OFFLINE_AFTER_MS = 5_000;

type OnChange = (change: Change) => void;

/**
 * Reports every change since this tab's first answers were read, until closed. All tabs that see the same
 * share one stream.
 * @param audience whose changes these are: tabs of the same name see the same
 */
export function followChanges(
  credentials: StreamCredentials,
  audience: string,
  onChange: OnChange,
): () => void {
  const receiver = createReceiver(onChange);
  const recent = createRecentChanges();
  const readFrom = takeReadPosition();
  const open = (tell: (news: StreamNews) => void, hadGap: boolean) => {
    const since: Since = hadGap ? 'gap' : readFrom;
    recent.begin(since);
    const tellAll = (news: StreamNews) => {
      recent.note(news);
      tell(news);
    };
    return openChangeStream(credentials, tellAll, since);
  };
  const tabs = tabsOf(`copydesk.events ${audience}`);
  const leave =
    tabs === null
      ? open(receiver.receive, false)
      : shareStream<StreamNews, bigint | null>({
          name: `copydesk.events ${audience}`,
          tabs,
          open,
          since: readFrom,
          present: (from) => [...PRESENT[liveStatus.get()], ...recent.since(from)],
          onNews: receiver.receive,
        });
  return () => {
    leave();
    receiver.end();
  };
}

/** The news that a joining tab gets at once, by the state of the stream. */
const PRESENT: Record<LiveStatus, readonly StreamNews[]> = {
  live: [{ kind: 'heard' }],
  offline: [{ kind: 'cut' }],
  connecting: [],
};

/** Browsers have locks in secure contexts only; without them, each tab has a stream of its own. */
function tabsOf(name: string): StreamTabs<StreamNews, bigint | null> | null {
  const { locks } = navigator as Partial<Navigator>;
  return locks ? { locks, channel: new BroadcastChannel(name) } : null;
}

/** An event says what the header of an answer would. */
function noteSeen(position: string | null | undefined): void {
  if (position) noteReadPosition(new Headers({ 'copydesk-position': position }));
}

/** Keeps what this tab shows of the stream: whether it is live, and that everything is loaded again after a gap. */
function createReceiver(onChange: OnChange) {
  let offlineTimer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let hadGap = false;

  const isOffline = () => liveStatus.set('offline');
  const heard = () => {
    lastHeardAt.set(Date.now());
    clearTimeout(offlineTimer);
    offlineTimer = undefined;
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => {
      hadGap = true;
      isOffline();
    }, HEARD_WITHIN_MS);
    liveStatus.set('live');
    if (!hadGap) return;
    hadGap = false;
    onChange(RESET);
  };

  return {
    receive(news: StreamNews) {
      if (news.kind === 'cut') {
        offlineTimer ??= setTimeout(isOffline, OFFLINE_AFTER_MS);
        return;
      }
      if (news.kind === 'open') {
        noteSeen(news.logPosition);
        hadGap ||= news.hadGap;
      } else if (news.kind === 'change') noteSeen(news.change.read_position);
      heard();
      if (news.kind === 'change') onChange(news.change);
    },
    end() {
      clearTimeout(offlineTimer);
      clearTimeout(silenceTimer);
      liveStatus.set('connecting');
    },
  };
}
