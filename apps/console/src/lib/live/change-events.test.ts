import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const OFFLINE_AFTER_MS = 5_000;

/** A stream that is cut as it opens, after which the server is silent: the leading tab has no more to say. */
vi.mock(import('./change-stream.ts'), async (original) => ({
  ...(await original()),
  openChangeStream: (_credentials, tell) => {
    tell({ kind: 'cut' });
    return () => {};
  },
}));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { locks: { request: firstLeads() } });
  vi.stubGlobal('BroadcastChannel', channelOf(new Set()));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The first tab has the lock for as long as the test runs. */
function firstLeads() {
  let isHeld = false;
  return (_name: string, how: LockOptions, run: (lock: object | null) => Promise<void>): Promise<void> => {
    if (isHeld) return how.ifAvailable ? run(null) : new Promise(() => {});
    isHeld = true;
    return run({});
  };
}

const channelOf = (channels: Set<{ onmessage: ((event: { data: unknown }) => void) | null }>) =>
  class {
    onmessage: ((event: { data: unknown }) => void) | null = null;
    constructor() {
      channels.add(this);
    }
    postMessage(data: unknown) {
      for (const other of channels) if (other !== this) other.onmessage?.({ data });
    }
    close() {
      channels.delete(this);
    }
  };

/** A tab: modules of its own. */
async function openTab() {
  vi.resetModules();
  const { followChanges } = await import('./change-events.ts');
  const { liveStatus } = await import('./live-status.ts');
  const leave = followChanges({ getToken: async () => null } as never, 'test', () => {});
  await vi.advanceTimersByTimeAsync(1);
  return { leave, status: () => liveStatus.get() };
}

test('a tab that joins while the stream of the leading one is cut is offline as well, and not for ever connecting', async () => {
  const lead = await openTab();
  expect(lead.status()).toBe('connecting');
  await vi.advanceTimersByTimeAsync(OFFLINE_AFTER_MS + 1);
  expect(lead.status()).toBe('offline');
  const joined = await openTab();
  expect(joined.status()).toBe('connecting');
  await vi.advanceTimersByTimeAsync(OFFLINE_AFTER_MS + 1);
  expect(joined.status()).toBe('offline');
  joined.leave();
  lead.leave();
});
