import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** A call that is not answered within this time counts as unanswered. */
const ANSWERED_WITHIN_MS = 30_000;
const PAUSE_MS = 150;
const READS = [
  '/api/traders?limit=20',
  '/api/super-admin/deposit-reading',
  '/api/setup-checklist',
  '/api/ready',
];
/** A console counts a stream as cut that says nothing for so long. */
const HEARD_WITHIN_MS = 20_000;

interface Asked {
  status: number;
  ms: number;
}

/** What the load has seen. */
export interface Seen {
  statuses: Map<number, number>;
  slowestMs: number;
  unanswered: string[];
  /** Wrong answers: neither the one asked for, nor that the service is away. */
  wrong: string[];
  /** By trader, in order. */
  written: Map<string, Write[]>;
}

/** A value that a write was sent with. Times are of the system's clock. */
export interface Write {
  value: string;
  sentAt: number;
  /** When the answer with 200 came; null: it did not. */
  answeredAt: number | null;
}

/** Consoles that read, write and listen until they are stopped. */
export function startLoad(api: { url: string; token: () => string; traderIds: readonly string[] }) {
  const stopping = new AbortController();
  const seen: Seen = { statuses: new Map(), slowestMs: 0, unanswered: [], wrong: [], written: new Map() };

  let isHeld = false;
  let writing = 0;

  async function ask(path: string, init: RequestInit = {}): Promise<Asked> {
    const began = performance.now();
    let status = 0;
    try {
      const answer = await fetch(`${api.url}${path}`, {
        ...init,
        headers: { authorization: api.token(), 'content-type': 'application/json' },
        signal: AbortSignal.timeout(2 * ANSWERED_WITHIN_MS),
      });
      const text = await answer.text();
      status = answer.status;
      if (status !== 200 && (status !== 503 || !answer.headers.has('retry-after')))
        seen.wrong.push(`${status} ${path}: ${text.slice(0, 200)}`);
    } catch (error) {
      seen.wrong.push(`${path}: ${error}`);
    }
    const ms = performance.now() - began;
    if (ms > ANSWERED_WITHIN_MS) seen.unanswered.push(`${path} after ${Math.round(ms)} ms`);
    seen.slowestMs = Math.max(seen.slowestMs, ms);
    seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
    return { status, ms };
  }

  async function write(traderId: string): Promise<void> {
    const entry: Write = { value: randomUUID(), sentAt: Date.now(), answeredAt: null };
    const values = seen.written.get(traderId) ?? [];
    seen.written.set(traderId, [...values, entry]);
    const { status } = await ask(`/api/traders/${traderId}`, {
      method: 'PATCH',
      body: JSON.stringify({ reference_number: entry.value }),
    });
    if (status === 200) entry.answeredAt = Date.now();
  }

  const running = [
    ...READS.map(async (path) => {
      while (!stopping.signal.aborted) {
        await ask(path);
        await sleep(PAUSE_MS);
      }
    }),
    // Each writes to a trader of its own, so that the last answered value is known.
    ...api.traderIds.map(async (traderId) => {
      while (!stopping.signal.aborted) {
        if (!isHeld) {
          writing += 1;
          await write(traderId);
          writing -= 1;
        }
        await sleep(4 * PAUSE_MS);
      }
    }),
  ];

  return {
    seen,
    ask,
    /** Holds all writes and waits until none is under way. @returns to let them go on */
    async holdWrites() {
      isHeld = true;
      while (writing > 0) await sleep(PAUSE_MS);
      return () => {
        isHeld = false;
      };
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** A console's stream of changes, opened again when it ends or is silent. */
export function followChanges(api: { url: string; token: () => string }) {
  const stopping = new AbortController();
  /** When each change of a trader arrived, and when the console learned that it may have missed some. */
  const heard = new Map<string, number[]>();
  const gaps: number[] = [];
  const note = (traderId: string) => heard.set(traderId, [...(heard.get(traderId) ?? []), Date.now()]);

  async function follow(): Promise<void> {
    const cutting = new AbortController();
    let silence = setTimeout(() => cutting.abort(), HEARD_WITHIN_MS);
    try {
      const answer = await fetch(`${api.url}/api/events`, {
        headers: { authorization: api.token() },
        signal: AbortSignal.any([stopping.signal, cutting.signal]),
      });
      if (answer.status !== 200) return;
      // It loads everything again whenever a stream opens.
      gaps.push(Date.now());
      let text = '';
      for await (const piece of answer.body ?? []) {
        clearTimeout(silence);
        silence = setTimeout(() => cutting.abort(), HEARD_WITHIN_MS);
        text += Buffer.from(piece).toString();
        const messages = text.split('\n\n');
        text = messages.pop() ?? '';
        for (const message of messages) {
          const [, data] = /^data: (.*)$/m.exec(message) ?? [];
          const change: { topic?: string; id?: string; trader_id?: string } = data ? JSON.parse(data) : {};
          if (change.topic === 'reset') gaps.push(Date.now());
          for (const id of new Set([change.id, change.trader_id])) if (id) note(id);
        }
      }
    } finally {
      clearTimeout(silence);
    }
  }
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await follow().catch(() => {});
      await sleep(500);
    }
  })();

  return {
    /** Whether the console shows a write: it heard of it, or loaded everything after it. */
    shows: (traderId: string, { sentAt, answeredAt }: Write) =>
      (heard.get(traderId) ?? []).some((at) => at >= sentAt) ||
      gaps.some((at) => at >= (answeredAt ?? sentAt)),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
