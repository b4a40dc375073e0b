import type { Logger } from '../observe/log.ts';
import { withLogFields } from '../observe/log-context.ts';
import { inSpan } from '../observe/tracing.ts';
import { logFailingTurns } from './failing-turns.ts';
import { measureLoop, measureTurn } from './work-measures.ts';

export interface WorkLoop {
  /** Starts a turn now, because there may be work. */
  wake(): void;
  /** Starts no further turn, and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Runs turns: one after the other while a turn reports that more work may be waiting, otherwise on `wake`, and at a
 * fixed interval in case a wake-up was missed.
 * @param turn does one piece of work; returns whether to take another turn at once. After a turn that throws, the loop
 * waits. A long turn ends early when its signal aborts.
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
  const failures = logFailingTurns(log);
  let wake = () => {};
  measureLoop(name);

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const goesOn = await takeTurn();
      if (goesOn) continue;
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, everyMs);
      });
      await Promise.race([woken, pause]);
      clearTimeout(timer);
    }
  }
  const takeTurn = () =>
    withLogFields(
      () => ({ loop: name }),
      () =>
        inSpan(`turn ${name}`, { kind: 'consumer' }, () =>
          measureTurn(name, () => turn(stopping.signal)),
        ).then(
          (goesOn) => {
            failures.succeeded();
            return goesOn;
          },
          (error) => {
            failures.failed(error);
            return false;
          },
        ),
    );
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
