import { listen } from '../db/connection/listen.ts';
import type { Logger } from '../observe/log.ts';

export interface AccessNews {
  watch(watcher: (userId: string | null) => void): () => void;
  close(): Promise<void>;
}

/**
 * Reports changed sessions and flags of users, whichever process, job or person changed them. After an
 * interruption everything is read again.
 */
export function createAccessNews(
  { url, log }: { url: string; log: Logger },
  forgets: { forgetUser(userId: string): void; forgetAll(): void },
): AccessNews {
  const watchers = new Set<(userId: string | null) => void>();
  const news = listen({
    url,
    channel: 'copydesk_access',
    applicationName: 'copydesk-identity',
    log,
    onNews: (userId) => {
      if (userId === undefined) forgets.forgetAll();
      else forgets.forgetUser(userId);
      for (const watcher of watchers) watcher(userId ?? null);
    },
  });
  return {
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    close: news.close,
  };
}
