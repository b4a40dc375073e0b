import { appendFileSync } from 'node:fs';

// What actors write down while machines fail, a line each, and what is concluded from it later. Times are of the one
// clock of the machine that plays them all.

/** One thing that a transaction did to a list: it added a value that nobody else adds, or read all of it. */
export type Micro = { list: number; append: number } | { list: number; read: number[] };

/** A transaction over lists. `unknown`: its commit was sent and not answered. */
export interface ListEvent {
  kind: 'lists';
  began: number;
  ended: number;
  outcome: 'done' | 'failed' | 'unknown';
  micros: Micro[];
}

/** An answer of the product: payouts that were ordered, or a note that was written under a key that is sent again. */
export interface AnswerEvent {
  kind: 'payouts' | 'note';
  began: number;
  ended: number;
  outcome: 'done' | 'unknown';
  /** Ids of payouts, or the text of the note. */
  facts: string[];
}

export type HistoryEvent = ListEvent | AnswerEvent;

/** Milliseconds, the same for all programs of this machine. */
export const clock = () => performance.timeOrigin + performance.now();

export const record = (file: string, event: HistoryEvent): void =>
  appendFileSync(file, `${JSON.stringify(event)}\n`);
