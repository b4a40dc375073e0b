import type { Logger } from '../log/log.ts';

export interface WorkLoop {
  /** Looks for work now: there may be some. */
  wake(): void;
  /** Begins no other turn, and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Takes turns for as long as it runs: one after the other while a turn says that there may be more, then when it is
 * woken, and every so often in case nobody did.
 * @param turn does one piece of work; answers whether to take another turn at once. A turn that throws waits. One that
 *   takes long ends early when its signal says that the loop is stopped.
 */
export function startWorkLoop({
  name,
  everyMs,
  turn,
  log,
}: {
  name: string;
  everyMs: number;
  turn: (stopped: AbortSignal) => Promise<boolean>;
  log: Logger;
}): WorkLoop {
  const stopping = new AbortController();
  let wake = () => {};

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const goesOn = await turn(stopping.signal).catch((error) => {
        log.warn({ err: error, loop: name }, 'a turn of work failed');
        return false;
      });
      if (goesOn) continue;
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, everyMs);
      });
      await Promise.race([woken, pause]);
      clearTimeout(timer);
    }
  }
  const running = run();

  return {
    wake: () => wake(),
    async stop() {
      stopping.abort();
      wake();
      await running;
    },
  };
}
