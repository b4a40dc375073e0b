export interface WebhookOptions {
  /** Null: events are only kept. */
  url: string | null;
  secret: string;
  /** The headers with the vendor's signature. */
  sign(
    event: { id: string; body: string },
    signed: { secret: string; seconds: number },
  ): Record<string, string>;
  /** The clock of the signatures, ms since 1970. */
  now: () => number;
}

export interface SentEvent {
  id: string;
  type: string;
  body: string;
}

export interface WebhookSender {
  emit(event: SentEvent): void;
  /** Where events go from now on. */
  sendTo(url: string): void;
  /** Events wait until they are released or lost. */
  hold(): void;
  /**
   * Sends the events that wait: as they are, or in another order.
   * @param atOnce requests under way at a time
   * @returns the statuses of the answers, in the order of sending
   */
  release(order?: (waiting: SentEvent[]) => SentEvent[], atOnce?: number): Promise<number[]>;
  /** Drops the events that wait: they are never sent. @returns how many events were lost */
  lose(): number;
  waiting(): readonly SentEvent[];
  /** Sends a body once, with a signature of its own. @returns the status of the answer */
  send(
    event: Pick<SentEvent, 'body'> & { id?: string },
    signed?: { secret?: string; at?: number },
  ): Promise<number>;
  /** Ends when every event was answered, or given up. */
  drained(): Promise<void>;
  close(): void;
}

/** The vendor tries for three days; here a few attempts are enough. */
const RETRY_MS = [200, 1_000, 3_000, 10_000, 30_000];

/** Sends events as the vendor does: signed, and again while they are not answered with success. */
export function createWebhookSender(options: WebhookOptions): WebhookSender {
  let url = options.url;
  let isHeld = false;
  let isClosed = false;
  let waiting: SentEvent[] = [];
  const underWay = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();

  const send: WebhookSender['send'] = async (
    { id = 'of_no_event', body },
    { secret = options.secret, at = options.now() } = {},
  ) => {
    if (url === null) return 0;
    const signature = options.sign({ id, body }, { secret, seconds: Math.floor(at / 1_000) });
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signature },
        body,
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  };

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timer.unref();
      timers.add(timer);
    });

  async function deliver(event: SentEvent): Promise<void> {
    for (const waitMs of [...RETRY_MS, null]) {
      if (isClosed) return;
      const status = await send(event);
      if ((status >= 200 && status < 300) || waitMs === null) return;
      await pause(waitMs);
    }
  }

  const track = (work: Promise<void>) => {
    const done: Promise<void> = work.finally(() => underWay.delete(done));
    underWay.add(done);
  };

  return {
    emit(sent) {
      if (isHeld) waiting.push(sent);
      else if (url !== null) track(deliver(sent));
    },
    sendTo(target) {
      url = target;
    },
    hold() {
      isHeld = true;
    },
    async release(order = (events) => events, atOnce = 1) {
      isHeld = false;
      const events = order(waiting);
      waiting = [];
      const statuses: number[] = [];
      const rest = events.entries();
      const sender = async () => {
        for (const [index, event] of rest) statuses[index] = await send(event);
      };
      await Promise.all(Array.from({ length: atOnce }, sender));
      return statuses;
    },
    lose() {
      isHeld = false;
      const lost = waiting.length;
      waiting = [];
      return lost;
    },
    waiting: () => waiting,
    send,
    async drained() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
