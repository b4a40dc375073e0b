import { higher } from '../position.ts';

/** A replica that lacks what the leader had this long ago is left out, whatever a reader needs. */
export const MOST_BEHIND_MS = 10_000;
/** Samples are kept for this long. */
const KEPT_MS = 15_000;
/**
 * Without a sample for this long there may be another leader: no replica is used until the next sample, which shows
 * whether there is.
 */
const FRESH_MS = 5_000;

interface Sample {
  atMs: number;
  position: bigint;
}

/** What this process knows of the log of the leader. */
export interface LeaderLog {
  /** Begins a look at the leader. The function that it returns takes what was found. */
  begin(): (found: { position: bigint; timeline: number }) => void;
  /** Every read of a replica needs this from now on: what was written here, or reported to consoles. */
  need(position: bigint): void;
  /** No replica is used until a look that begins from now on: something was written, and its position is not known. */
  needNext(): void;
  /** What a replica must have replayed, and on which timeline; null: no replica may be used. */
  required(): { position: bigint; timeline: number } | null;
  /** How long ago the leader was where a replica is, in ms; null: longer than is remembered, or not known. */
  behindMs(replayed: bigint): number | null;
}

/** @param now a clock in ms that never goes back */
export function createLeaderLog(now: () => number): LeaderLog {
  let samples: Sample[] = [];
  let timeline: number | null = null;
  let needed: bigint | null = null;
  let looks = 0;
  /** Looks of before this one do not count. */
  let countsFrom = 0;
  const latest = () => samples.at(-1);

  return {
    begin() {
      const look = ++looks;
      const neededBefore = needed;
      const atMs = now();
      return (found) => {
        if (look < countsFrom) return;
        // Another leader: what the former one had beyond its own log is gone.
        if (timeline !== null && found.timeline !== timeline) samples = [];
        timeline = found.timeline;
        // The leader is not as far as something that was seen before the look: that was lost with a former leader.
        if (neededBefore !== null && found.position < neededBefore && needed === neededBefore)
          needed = found.position;
        samples = [
          ...samples.filter((sample) => atMs - sample.atMs <= KEPT_MS),
          { atMs, position: found.position },
        ];
      };
    },
    need(position) {
      needed = higher(needed, position);
    },
    needNext() {
      countsFrom = looks + 1;
      samples = [];
    },
    required() {
      const newest = latest();
      if (!newest || timeline === null || now() - newest.atMs > FRESH_MS) return null;
      const old = samples.findLast(({ atMs }) => now() - atMs >= MOST_BEHIND_MS) ?? samples[0] ?? newest;
      return { position: higher(needed, old.position) ?? old.position, timeline };
    },
    behindMs(replayed) {
      const [oldest] = samples;
      const next = samples.find(({ position }) => position > replayed);
      if (!oldest || replayed < oldest.position) return null;
      return next ? now() - next.atMs : 0;
    },
  };
}
