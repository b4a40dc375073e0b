import { expect, test } from 'vitest';
import { createLeaderLog } from './leader-log.ts';

/** A log with a look every second, by a hand-moved clock. */
function setUp() {
  let nowMs = 0;
  const log = createLeaderLog(() => nowMs);
  return {
    log,
    wait: (ms: number) => {
      nowMs += ms;
    },
    look: (position: bigint, timeline = 1) => log.begin()({ position, timeline }),
  };
}

test('without a recent look at the leader no replica is used', () => {
  const { log, wait, look } = setUp();
  expect(log.required()).toBeNull();
  look(100n);
  expect(log.required()).toEqual({ position: 100n, timeline: 1 });
  wait(5_001);
  expect(log.required()).toBeNull();
});

test('a replica needs what the leader had ten seconds ago, and what was written here or reported', () => {
  const { log, wait, look } = setUp();
  for (let second = 0n; second <= 14n; second += 1n) {
    look(100n + second);
    wait(1_000);
  }
  // The look of eleven seconds ago is the newest that is ten seconds old.
  expect(log.required()?.position).toBe(105n);
  log.need(112n);
  expect(log.required()?.position).toBe(112n);
  log.need(107n);
  expect(log.required()?.position).toBe(112n);
});

test('what the leader does not have any more is not needed for ever', () => {
  const { log, look } = setUp();
  look(100n);
  log.need(500n);
  look(120n, 2);
  expect(log.required()).toEqual({ position: 120n, timeline: 2 });
});

test('a look that was under way says nothing of a position that came meanwhile', () => {
  const { log } = setUp();
  const found = log.begin();
  log.need(500n);
  found({ position: 120n, timeline: 1 });
  expect(log.required()?.position).toBe(500n);
});

test('after a write without a position, only a look that began later counts', () => {
  const { log, look } = setUp();
  look(100n);
  const found = log.begin();
  log.needNext();
  found({ position: 120n, timeline: 1 });
  expect(log.required()).toBeNull();
  look(130n);
  expect(log.required()?.position).toBe(130n);
});

test('says how long ago the leader was where a replica is', () => {
  const { log, wait, look } = setUp();
  for (let second = 0n; second <= 4n; second += 1n) {
    look(100n + second);
    wait(1_000);
  }
  expect(log.behindMs(104n)).toBe(0);
  expect(log.behindMs(102n)).toBe(2_000);
  expect(log.behindMs(99n)).toBeNull();
});
