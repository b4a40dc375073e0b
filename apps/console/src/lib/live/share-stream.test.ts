import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type News, type Question, type StreamTabs, shareStream } from './share-stream.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Told = News<string> | Question<number>;
type Channel = StreamTabs<string, number>['channel'];

/** A browser: locks and channels as the standard describes them, as far as they are used. */
function createBrowser() {
  interface Waiting {
    run: (lock: Lock | null) => Promise<unknown>;
    settle: { resolve(value: unknown): void; reject(error: unknown): void };
  }
  let held: Waiting | null = null;
  const queue: Waiting[] = [];
  const channels = new Set<Channel>();
  const asleep = new Set<Channel>();
  const grant = (waiting: Waiting) => {
    held = waiting;
    waiting.run({ mode: 'exclusive', name: 'x' }).then((value) => {
      if (held !== waiting) return;
      waiting.settle.resolve(value);
      held = null;
      const next = queue.shift();
      if (next) grant(next);
    });
  };
  const request = (_name: string, how: LockOptions, run: Waiting['run']) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const waiting: Waiting = { run, settle: { resolve, reject } };
    if (how.steal) {
      held?.settle.reject(new DOMException('stolen', 'AbortError'));
      grant(waiting);
    } else if (held === null && queue.length === 0) grant(waiting);
    else if (how.ifAvailable) run(null).then(resolve, reject);
    else {
      queue.push(waiting);
      how.signal?.addEventListener('abort', () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(new DOMException('left', 'AbortError'));
      });
    }
    return promise;
  };
  const opened: string[] = [];
  const streams = new Map<string, (news: string) => void>();

  return {
    opened,
    streams,
    openTab(name: string, since = 0) {
      const heard: string[] = [];
      const channel: Channel = {
        onmessage: null,
        postMessage(data: Told) {
          if (asleep.has(channel)) return;
          for (const other of channels)
            if (other !== channel) other.onmessage?.({ data } as MessageEvent<Told>);
        },
        close: () => channels.delete(channel),
      };
      channels.add(channel);
      const leave = shareStream<string, number>({
        name: 'events',
        tabs: { locks: { request } as unknown as LockManager, channel },
        open(tell, hadGap) {
          opened.push(`${name}${hadGap ? ' after a gap' : ''}`);
          streams.set(name, tell);
          return () => streams.delete(name);
        },
        since,
        present: (from) => [`live, from ${from}`],
        onNews: (news) => heard.push(news),
      });
      return { heard, leave, sleep: () => asleep.add(channel), wake: () => asleep.delete(channel) };
    },
  };
}

const settle = () => vi.advanceTimersByTimeAsync(1);

test('ten tabs have one stream, and each hears everything', async () => {
  const browser = createBrowser();
  const tabs = [];
  for (let n = 1; n <= 10; n++) {
    tabs.push(browser.openTab(`tab ${n}`, n));
    await settle();
  }
  expect([...browser.streams.keys()]).toEqual(['tab 1']);
  browser.streams.get('tab 1')?.('change');
  for (const { heard } of tabs) expect(heard.at(-1)).toBe('change');
  // A tab that joins learns at once how things are, and hears each change once.
  expect(tabs[9]?.heard).toEqual(['live, from 10', 'change']);
});

test('when the leading tab closes, one of the others goes on, and says that there was a gap', async () => {
  const browser = createBrowser();
  const [first, second, third] = [browser.openTab('1'), browser.openTab('2'), browser.openTab('3')];
  await settle();
  first.leave();
  await settle();
  expect(browser.opened).toEqual(['1', '2 after a gap']);
  expect([...browser.streams.keys()]).toEqual(['2']);
  browser.streams.get('2')?.('change');
  expect([second.heard.at(-1), third.heard.at(-1)]).toEqual(['change', 'change']);
  second.leave();
  third.leave();
  await settle();
  expect(browser.streams.size).toBe(0);
});

test('a lead that falls asleep is replaced, and follows when it wakes', async () => {
  const browser = createBrowser();
  const [first, second] = [browser.openTab('1'), browser.openTab('2')];
  await settle();
  await vi.advanceTimersByTimeAsync(200_000);
  expect(browser.opened).toEqual(['1']);
  first.sleep();
  await vi.advanceTimersByTimeAsync(91_000);
  expect(browser.opened).toEqual(['1', '2 after a gap']);
  expect([...browser.streams.keys()]).toEqual(['2']);
  first.wake();
  browser.streams.get('2')?.('change');
  expect([first.heard.at(-1), second.heard.at(-1)]).toEqual(['change', 'change']);
});

test('a browser whose locks fail is asked again after a while, not at once', async () => {
  let asked = 0;
  const leave = shareStream<string, null>({
    name: 'events',
    tabs: {
      locks: {
        request: () => {
          asked += 1;
          return Promise.reject(new DOMException('no locks here', 'InvalidStateError'));
        },
      } as unknown as LockManager,
      channel: { onmessage: null, postMessage: () => {}, close: () => {} },
    },
    open: () => () => {},
    since: null,
    present: () => [],
    onNews: () => {},
  });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toBeGreaterThan(3);
  expect(asked).toBeLessThan(10);
  leave();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toBeLessThan(10);
});
