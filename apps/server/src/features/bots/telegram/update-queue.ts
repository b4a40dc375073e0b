/** What a queue has to know of an update. */
export interface QueuedUpdate {
  update_id: number;
}

export interface UpdateQueue<U extends QueuedUpdate> {
  /** Takes what Telegram has sent since the last handled prefix, in its order. Known updates are not taken twice. */
  add(updates: readonly U[]): void;
  /** Waits until all updates are handled, but no longer than this. @throws the first failure, once */
  settle(mostMs: number): Promise<void>;
  /** The last update of the prefix without gaps that is handled; null: no news since the last call. */
  takePrefix(): number | null;
  /** Starts nothing more, and waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Handles updates of different lanes in parallel, a limited number at once, and those of one lane strictly in
 * order. A failed update keeps its place: until Telegram sends it again, no later one of its lane is handled
 * and the prefix does not move past it.
 */
export function createUpdateQueue<U extends QueuedUpdate>({
  laneOf,
  handle,
  atOnce,
}: {
  laneOf(update: U): string;
  handle(update: U): Promise<void>;
  atOnce: number;
}): UpdateQueue<U> {
  /** By number; only those after the prefix. */
  const known = new Map<number, 'waiting' | 'handled' | 'failed'>();
  const lanes = new Map<string, U[]>();
  const ready: string[] = [];
  const underWay = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;
  let isStopped = false;
  let onChange = () => {};

  function pump(): void {
    while (!isStopped && underWay.size < atOnce) {
      const lane = ready.shift();
      if (lane === undefined) return;
      const work: Promise<void> = run(lane).finally(() => {
        underWay.delete(work);
        pump();
        onChange();
      });
      underWay.add(work);
    }
  }

  /** One update of a lane; then the lane waits behind the others. */
  async function run(lane: string): Promise<void> {
    const waiting = lanes.get(lane) as U[];
    const update = waiting[0] as U;
    try {
      await handle(update);
      known.set(update.update_id, 'handled');
      waiting.shift();
    } catch (error) {
      failure ??= { error };
      for (const { update_id } of waiting.splice(0)) known.set(update_id, 'failed');
    }
    if (waiting.length > 0) ready.push(lane);
    else lanes.delete(lane);
  }

  const isIdle = () => underWay.size === 0 && ready.length === 0;

  return {
    add(updates) {
      const given = new Set(updates.map(({ update_id }) => update_id));
      // Telegram drops updates after a day: an update that it no longer sends can never be handled.
      const last = Math.max(...given);
      for (const [id, state] of known)
        if (state === 'failed' && id < last && !given.has(id)) known.delete(id);
      for (const update of updates) {
        const state = known.get(update.update_id);
        if (state === 'waiting' || state === 'handled') continue;
        known.set(update.update_id, 'waiting');
        const lane = laneOf(update);
        const waiting = lanes.get(lane);
        if (waiting) waiting.push(update);
        else {
          lanes.set(lane, [update]);
          ready.push(lane);
        }
      }
      pump();
    },
    async settle(mostMs) {
      let timer: NodeJS.Timeout | undefined;
      const isOver = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(true), mostMs);
      });
      try {
        while (!failure && !isIdle()) {
          const changed = new Promise<boolean>((resolve) => {
            onChange = () => resolve(false);
          });
          if (await Promise.race([changed, isOver])) break;
        }
      } finally {
        clearTimeout(timer);
      }
      if (!failure) return;
      const { error } = failure;
      failure = null;
      throw error;
    },
    takePrefix() {
      let prefix: number | null = null;
      for (const id of [...known.keys()].sort((a, b) => a - b)) {
        if (known.get(id) !== 'handled') break;
        known.delete(id);
        prefix = id;
      }
      return prefix;
    },
    async stop() {
      isStopped = true;
      ready.length = 0;
      onChange();
      await Promise.all(underWay);
    },
  };
}
