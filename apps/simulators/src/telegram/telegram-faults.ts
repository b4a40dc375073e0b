/**
 * Deliberate faults. `down`: the connection is cut before anything was read. `lost_answer`: the message arrives, and
 * the bot gets no answer. `timeout`: nothing arrives and nothing is answered.
 */
export const TELEGRAM_FAULT_KINDS = [
  'latency',
  'down',
  'timeout',
  'lost_answer',
  'malformed',
  'server_error',
  'rate_limit',
] as const;

export interface TelegramFault {
  kind: (typeof TELEGRAM_FAULT_KINDS)[number];
  /** Only messages to this chat. */
  chatId?: string;
  /** Only this method, in lower case. */
  method?: string;
  /** Number of requests affected; after that the fault is gone. */
  times?: number;
  /** latency: its length; rate_limit: how long to wait, in whole seconds. 1,000 by default. */
  ms?: number;
}

export interface TelegramFaults {
  /** Adds a fault. Several may be set; the first matching one applies, after any latency. */
  set(fault: TelegramFault): void;
  clear(): void;
  list(): TelegramFault[];
}

export function createTelegramFaults(): TelegramFaults & {
  /** The faults that apply to a request; their counts go down. */
  meet(chatId: string | null, method: string): TelegramFault[];
} {
  let faults: TelegramFault[] = [];
  return {
    set: (fault) => {
      faults.push({ ...fault });
    },
    clear: () => {
      faults = [];
    },
    list: () => faults.map((fault) => ({ ...fault })),
    meet(chatId, method) {
      const fitting = faults.filter(
        (fault) =>
          (fault.chatId === undefined || fault.chatId === chatId) &&
          (fault.method === undefined || fault.method === method),
      );
      const other = fitting.find(({ kind }) => kind !== 'latency');
      const met = fitting.filter((fault) => fault.kind === 'latency' || fault === other);
      for (const fault of met) if (fault.times !== undefined) fault.times -= 1;
      faults = faults.filter(({ times }) => times === undefined || times > 0);
      return met;
    },
  };
}
