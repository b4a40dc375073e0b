import { type ChildProcess, fork } from 'node:child_process';
import { ALLOCATOR, NODE_FLAGS } from './memory-limits.ts';

const QUICK_CRASH_MS = 10_000;
const MANY_QUICK_CRASHES = 5;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** How long a child may take to finish its requests and jobs. */
const DRAIN_MS = 10_000;

/** Variables that Node, its TLS and the system's libraries read. */
const PROCESS_VARIABLES = [
  ...['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'NODE_ENV', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY', 'HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'],
  ...['NO_PROXY', 'no_proxy', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

/** A script of ours that the launcher keeps running. */
export interface Program {
  name: string;
  script: string;
  /** The variables that it reads, besides those that any process needs. */
  variables: readonly string[];
  /** Whether the product is useless without it: a start that never brings it up fails. */
  isEssential?: boolean;
}

interface ChildOptions {
  env: NodeJS.ProcessEnv;
  report: (line: string) => void;
  /**
   * Called when the child has crashed many times in quick succession. True ends the attempts: nothing works without the
   * child, and it has never worked. Otherwise it is restarted without limit.
   */
  givesUp: () => boolean;
}

export interface RunningChild {
  stop(): Promise<void>;
}

/**
 * Runs a script of ours as a child process and restarts it after an unexpected end, each time after a longer delay. It
 * gets the variables that it reads and no others. The child sees the launcher's death as 'disconnect' on its IPC channel.
 */
export function keepRunning(
  { name, script, variables }: Program,
  { env, report, givesUp }: ChildOptions,
): RunningChild {
  const allowed = new Set([...PROCESS_VARIABLES, ...variables]);
  const own = Object.fromEntries(Object.entries(env).filter(([variable]) => allowed.has(variable)));
  let isStopping = false;
  let quickCrashes = 0;
  let timer: NodeJS.Timeout | undefined;
  let child: ChildProcess | undefined;

  const start = () => {
    const startedAt = Date.now();
    // A process group of its own: Ctrl-C reaches the launcher only, which asks each child to drain.
    const started = fork(script, [], {
      env: { ...ALLOCATOR, ...own },
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
    const isOften = quickCrashes >= MANY_QUICK_CRASHES;
    const what = isOften
      ? `The ${name} ended ${quickCrashes} times in quick succession (${cause}); its output is above.`
      : `The ${name} ended unexpectedly (${cause}).`;
    if (isOften && givesUp()) {
      report(`${what} Giving up.`);
      return;
    }
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** quickCrashes, LONGEST_DELAY_MS);
    report(`${what} Starting it again in ${delayMs / 1000} s.`);
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
