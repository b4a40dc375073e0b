import { setTimeout as sleep } from 'node:timers/promises';

/** What people look at, how often, and the topic of the changes after which it is read again. */
export interface Screen {
  share: number;
  topic?: string;
  paths: readonly string[];
}

/** Between two screens: people read what they see. */
const THINK_MS = [3_000, 13_000] as const;
/** So often at most, as the console. */
const READ_AGAIN_MS = 2_000;

/**
 * People at their consoles: each has a stream of changes, opens a screen, reads what it shows at once, looks at it, reads
 * it again when it changes, and goes to the next one.
 * @param options.tokens of the people, in turn
 */
export function createCrowd({
  url,
  screens,
  tokens,
}: {
  url: string;
  screens: readonly Screen[];
  tokens: string[];
}) {
  const leaving = new AbortController();
  const shares = screens.reduce((all, { share }) => all + share, 0);
  let times: number[] = [];
  let failures = 0;
  let people = 0;

  async function read(path: string, token: string): Promise<void> {
    const startedAt = performance.now();
    try {
      const answer = await fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: leaving.signal,
      });
      await answer.arrayBuffer();
      if (answer.ok) times.push(performance.now() - startedAt);
      else failures++;
    } catch {
      if (!leaving.signal.aborted) failures++;
    }
  }

  function choose(): Screen | undefined {
    let left = Math.random() * shares;
    for (const screen of screens) {
      left -= screen.share;
      if (left < 0) return screen;
    }
  }

  async function follow(token: string, onChange: (topic: string) => void): Promise<void> {
    const answer = await fetch(`${url}/api/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    });
    if (!answer.ok || !answer.body) throw new Error(`no stream of changes: ${answer.status}`);
    for await (const piece of answer.body.pipeThrough(new TextDecoderStream()))
      for (const [, topic] of piece.matchAll(/"topic":"(\w+)"/g)) onChange(topic ?? '');
  }

  async function live(token: string): Promise<void> {
    let screen = choose();
    let readAt = 0;
    const show = () => {
      readAt = performance.now();
      return Promise.all((screen?.paths ?? []).map((path) => read(path, token)));
    };
    follow(token, (topic) => {
      if (topic === screen?.topic && performance.now() - readAt > READ_AGAIN_MS) void show();
    }).catch(() => {
      if (!leaving.signal.aborted) failures++;
    });
    // They do not all arrive at the same moment.
    await sleep(Math.random() * THINK_MS[1]);
    while (!leaving.signal.aborted) {
      screen = choose();
      await show();
      await sleep(THINK_MS[0] + Math.random() * (THINK_MS[1] - THINK_MS[0]));
    }
  }

  return {
    /** More people come. Nobody leaves before all do. */
    grow(wanted: number): void {
      for (; people < wanted; people++) void live(tokens[people % tokens.length] ?? '');
    },
    /** What was answered since the last call. */
    take() {
      const taken = { times: times.sort((a, b) => a - b), failures };
      times = [];
      failures = 0;
      return taken;
    },
    leave: () => leaving.abort(),
  };
}
