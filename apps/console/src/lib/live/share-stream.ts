/** A leading tab that is silent for this long has stopped: the tab sleeps, or its browser does. */
const LEAD_SILENT_MS = 90_000;
/** After a failure of the browser's locks. */
const LOCKS_FAILED_MS = 5_000;
/** How often the leading tab says that it is there, also while the server is not. */
const PULSE_MS = 10_000;

/** What the leading tab tells the others, or the one that asked. */
export type News<T> = { kind: 'lead' } | { kind: 'news'; news: T; to?: string };
/** What a tab asks as it joins; `since`: what it saw before. */
export type Question<S> = { kind: 'ask'; since: S; tab: string };

export interface StreamTabs<T, S> {
  /** Runs `lead` while this tab has the lock, until the promise that it returns settles. */
  locks: Pick<LockManager, 'request'>;
  channel: {
    postMessage(message: News<T> | Question<S>): void;
    onmessage: ((event: MessageEvent<News<T> | Question<S>>) => void) | null;
    close(): void;
  };
}

interface Shared<T, S> {
  name: string;
  tabs: StreamTabs<T, S>;
  /**
   * Opens the one stream, in the tab that leads. Returns the function that closes it.
   * @param hadGap whether the tabs followed another stream before, which has ended
   */
  open(tell: (news: T) => void, hadGap: boolean): () => void;
  /** What this tab saw before it joins. */
  since: S;
  /** For a tab that joins later: what it needs to know at once. */
  present(since: S): readonly T[];
  onNews(news: T): void;
}

/**
 * One stream for all tabs of a browser. A browser has six connections to a server without HTTP/2, and a
 * stream in each tab would take them all: the seventh tab shows nothing, and a click in the first waits. The
 * tab that has the lock leads: it opens the stream and informs the others. When it closes or sleeps, the next
 * one takes over.
 * @returns a function that leaves
 */
export function shareStream<T, S>(shared: Shared<T, S>): () => void {
  const { name, tabs, open, since, present, onNews } = shared;
  const { locks, channel } = tabs;
  const tab = String(Math.random());
  const left = new AbortController();
  let release: (() => void) | null = null;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const expectLead = () => {
    clearTimeout(silence);
    if (release === null) silence = setTimeout(() => take({ steal: true }), LEAD_SILENT_MS);
  };

  const lead = (hadGap: boolean) =>
    new Promise<void>((resolve) => {
      clearTimeout(silence);
      const pulse = () => channel.postMessage({ kind: 'lead' });
      const timer = setInterval(pulse, PULSE_MS);
      pulse();
      const close = open((news) => {
        channel.postMessage({ kind: 'news', news });
        onNews(news);
      }, hadGap);
      release = () => {
        release = null;
        clearInterval(timer);
        close();
        resolve();
      };
    });

  const take = (how: { steal: true } | { ifAvailable: true } | { signal: AbortSignal }) =>
    locks
      .request(name, how, async (lock) => {
        if (left.signal.aborted) return;
        if (lock === null) return follow();
        if (release !== null) return;
        await lead(!('ifAvailable' in how));
      })
      // An AbortError: another tab took the lock, or this one left while it waited. Any other error would
      // come again at once, so this one waits.
      .catch((error: unknown) => {
        release?.();
        const isTaken = (error as Error | undefined)?.name === 'AbortError';
        if (isTaken && !left.signal.aborted) follow();
        else if (!left.signal.aborted) silence = setTimeout(follow, LOCKS_FAILED_MS);
      });
  const follow = () => {
    expectLead();
    channel.postMessage({ kind: 'ask', since, tab });
    void take({ signal: left.signal });
  };

  channel.onmessage = ({ data }) => {
    if (data.kind === 'ask') {
      const all = release === null ? [] : present(data.since);
      for (const news of all) channel.postMessage({ kind: 'news', news, to: data.tab });
      return;
    }
    // The leading tab hears only from a tab that took the lock a moment ago.
    if (release !== null) return;
    expectLead();
    if (data.kind === 'news' && (data.to ?? tab) === tab) onNews(data.news);
  };

  void take({ ifAvailable: true });
  return () => {
    left.abort();
    clearTimeout(silence);
    release?.();
    channel.close();
  };
}
