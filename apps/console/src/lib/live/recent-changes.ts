import type { Since, StreamNews } from './change-stream.ts';

/** A tab joins within seconds of its first answer. */
const KEPT = 300;
export const RESET = { topic: 'reset', id: null, trader_id: null, at: '' } as const;

type ChangeNews = Extract<StreamNews, { kind: 'change' }>;

/** The latest changes of a stream, for tabs that join it and read their first answers a moment before. */
export function createRecentChanges() {
  let changes: (ChangeNews & { position: bigint })[] = [];
  /** Every change that comes at or after this position is kept; null: not known, or none is. */
  let keptFrom: bigint | null = null;

  const forget = () => {
    changes = [];
    keptFrom = null;
  };

  const keep = (news: ChangeNews, position: bigint) => {
    // Others may have come at this very position before.
    keptFrom ??= position + 1n;
    changes.push({ ...news, position });
    const dropped = changes.length > KEPT ? changes.shift() : undefined;
    if (dropped && dropped.position >= keptFrom) keptFrom = dropped.position + 1n;
  };

  return {
    begin(since: Since): void {
      forget();
      if (since !== 'gap') keptFrom = since;
    },
    note(news: StreamNews): void {
      if (news.kind === 'open' && news.hadGap && !news.isResumed) forget();
      if (news.kind !== 'change') return;
      if (news.position === null || news.change.topic === 'reset') forget();
      else keep(news, news.position);
    },
    /** What a tab missed since the position of its oldest answer; a reset where that is not known. */
    since(position: bigint | null): StreamNews[] {
      if (position === null) return [];
      if (keptFrom === null || position < keptFrom)
        return [{ kind: 'change', change: RESET, position: null }];
      return changes.filter((change) => change.position >= position);
    },
  };
}
