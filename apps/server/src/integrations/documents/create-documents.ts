import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DocumentAnswer, DocumentOrder, DocumentSetting } from './document-orders.ts';
import { DocumentError, type Documents } from './gateway.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const TEMPLATES = here('./templates');
const PROGRAM = fileURLToPath(new URL('./document-process.ts', import.meta.url));
/** Ours are written within a second. */
const TIME_LIMIT_MS = 10_000;
/** Our largest document takes 235 of it. The API and this process share the memory of one service. */
const MEMORY_LIMIT_MB = 320;
const MOST_WAITING = 50;
/** The process ends when no document was asked for during this time. */
const IDLE_MS = 3 * 60_000;
/** V8 holds little here: the compiler's memory is outside of it. */
const NODE_FLAGS = ['--max-semi-space-size=2', '--max-old-space-size=64'];

/**
 * All that the process gets: none of our variables, and so none of our secrets.
 *
 * The compiler would load packages that a template names, and look for fonts on the machine. It has no switch for
 * either. The proxy is an address where nothing listens, so no request leaves the machine, and the list of folders with
 * fonts has one that does not exist.
 */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...{ HTTP_PROXY: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1' },
  ...{ HOME: '/nonexistent', XDG_CACHE_HOME: '/nonexistent', XDG_DATA_HOME: '/nonexistent' },
  FONTCONFIG_FILE: here('./templates/fonts.conf'),
  // Where `node scripts/prepare.mjs production` keeps the compiler for this machine, which is an optional package.
  NODE_PATH: here('../../../native'),
  // As in the launcher's memory-limits.ts: without these, the memory of each thread stays with it.
  ...{ MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' },
};

interface Waiting extends DocumentOrder {
  resolve: (pdf: Buffer) => void;
  reject: (error: DocumentError) => void;
}

interface DocumentOptions {
  folder?: string;
  environment?: NodeJS.ProcessEnv;
  timeLimitMs?: number;
  memoryLimitMb?: number;
  mostWaiting?: number;
  idleMs?: number;
}

/**
 * Writes documents in a process of its own, one after the other: a compile is one long native call, which would block
 * every request, and what it does wrong, an end, a loop or a leak, costs that document alone. The process starts with
 * the first document, and again with the next one after its end.
 */
export function createDocuments({
  folder = TEMPLATES,
  environment = {},
  timeLimitMs = TIME_LIMIT_MS,
  memoryLimitMb = MEMORY_LIMIT_MB,
  mostWaiting = MOST_WAITING,
  idleMs = IDLE_MS,
}: DocumentOptions = {}): Documents {
  const waiting: Waiting[] = [];
  let current: Waiting | null = null;
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): ChildProcess {
    const setting: DocumentSetting = { folder, memoryMb: memoryLimitMb };
    const started = fork(PROGRAM, [JSON.stringify(setting)], {
      env: { ...ENVIRONMENT, ...environment },
      execArgv: NODE_FLAGS,
      // A terminal's Ctrl-C reaches the launcher only.
      detached: true,
      serialization: 'advanced',
      // What it prints could quote a document.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.on('message', (answer: DocumentAnswer) => settle(started, answer));
    started.on('error', (error) => lose(started, error.message));
    started.on('exit', (code, signal) => lose(started, `its process ended with ${signal ?? code}`));
    return started;
  }

  function settle(of: ChildProcess, answer: DocumentAnswer): void {
    if (of !== child || !current) return;
    const { resolve, reject } = current;
    if ('pdf' in answer) resolve(Buffer.from(answer.pdf));
    else reject(new DocumentError('failed', `A document was not written: ${answer.problem}`));
    current = null;
    writeNext();
  }

  function lose(gone: ChildProcess, cause: string): void {
    if (gone !== child) return;
    child = null;
    gone.kill('SIGKILL');
    current?.reject(new DocumentError('failed', `A document was not written: ${cause}`));
    current = null;
    writeNext();
  }

  function writeNext(): void {
    clearTimeout(timer);
    const next = waiting.shift();
    if (next) {
      current = next;
      child ??= start();
      holdsProcess(child, true);
      const used = child;
      timer = setTimeout(() => lose(used, `it took longer than ${timeLimitMs / 1_000} s`), timeLimitMs);
      const { template, json } = next;
      used.send({ template, json } satisfies DocumentOrder, (error) => error && lose(used, error.message));
    } else if (child) {
      holdsProcess(child, false);
      timer = setTimeout(end, idleMs).unref();
    }
  }

  function end(): ChildProcess | null {
    const ended = child;
    child = null;
    ended?.kill('SIGKILL');
    return ended;
  }

  return {
    write(template, data) {
      if (isClosed || waiting.length >= mostWaiting)
        return Promise.reject(new DocumentError('busy', 'Too many documents are being written'));
      return new Promise((resolve, reject) => {
        waiting.push({ template, json: JSON.stringify(data, wellFormed), resolve, reject });
        if (!current) writeNext();
      });
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const lost = [...(current ? [current] : []), ...waiting.splice(0)];
      current = null;
      for (const { reject } of lost) reject(new DocumentError('failed', 'The process ends'));
      const ended = end();
      if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
      holdsProcess(ended, true);
      await new Promise((resolve) => ended.once('exit', resolve));
    },
  };
}

/** Half a letter, as where a text was cut, is escaped in a way that the compiler does not read. */
const wellFormed = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value;

/** Whether our own process stays alive for the child: only while a document is waited for. */
function holdsProcess(child: ChildProcess, holds: boolean): void {
  if (holds) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
