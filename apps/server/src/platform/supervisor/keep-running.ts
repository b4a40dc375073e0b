import { type ChildProcess, fork } from 'node:child_process';
import { ALLOCATOR, NODE_FLAGS } from './memory-limits.ts';

const QUICK_CRASH_MS = 10_000;
const MAX_QUICK_CRASHES = 5;
const FIRST_DELAY_MS = 250;
/** How long a child may finish the requests and jobs under way. */
const DRAIN_MS = 10_000;

interface ChildOptions {
  name: string;
  script: string;
  env: NodeJS.ProcessEnv;
  report: (line: string) => void;
  /** Called once, when the child crashed so often that starting it again is no use. */
  onGiveUp: (name: string) => void;
}

export interface KeptChild {
  stop(): Promise<void>;
}

/**
 * Runs a script of ours as a child process and starts it again when it ends without being asked to, each time
 * after a longer delay. The child sees the supervisor's death as 'disconnect' on its IPC channel.
 */
export function keepRunning({ name, script, env, report, onGiveUp }: ChildOptions): KeptChild {
  let isStopping = false;
  let quickCrashes = 0;
  let timer: NodeJS.Timeout | undefined;
  let child: ChildProcess | undefined;

  const start = () => {
    const startedAt = Date.now();
    // A process group of its own: Ctrl-C reaches the supervisor only, which asks each child to drain.
    const started = fork(script, [], {
      env: { ...ALLOCATOR, ...env },
      detached: true,
      execArgv: NODE_FLAGS,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = started;
    let isOver = false;
    const end = (cause: string) => {
      if (isOver) return;
      isOver = true;
      child = undefined;
      if (!isStopping) handleCrash(cause, Date.now() - startedAt);
    };
    started.once('error', (error) => end(error.message));
    started.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  };

  const handleCrash = (cause: string, livedMs: number) => {
    quickCrashes = livedMs < QUICK_CRASH_MS ? quickCrashes + 1 : 1;
    if (quickCrashes >= MAX_QUICK_CRASHES) {
      report(
        `The ${name} ended ${quickCrashes} times in quick succession (${cause}). Giving up; its output is above.`,
      );
      onGiveUp(name);
      return;
    }
    const delayMs = FIRST_DELAY_MS * 2 ** quickCrashes;
    report(`The ${name} ended unexpectedly (${cause}). Starting it again in ${delayMs / 1000} s.`);
    timer = setTimeout(start, delayMs);
  };

  start();
  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      if (child) await stopChild(child);
    },
  };
}

async function stopChild(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), DRAIN_MS);
  await ended;
  clearTimeout(timer);
}
