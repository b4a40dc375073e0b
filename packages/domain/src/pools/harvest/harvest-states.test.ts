import { expect, test } from 'vitest';
import {
  deadlineOf,
  dueReminders,
  HARVEST_STATES,
  HARVEST_STEPS,
  type HarvestState,
} from './harvest-states.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 1) + minutes * 60_000);
const clock = { statusSince: at(0), stepSince: at(10), waitedForPersonMs: 5 * 60_000, stoppedMs: 0 };
const AWAITING: HarvestState = { status: 'awaiting_bybit_withdrawal', step: 'withdrawing' };

test('the steps are those of the states, each once', () => {
  expect(HARVEST_STEPS.toSorted()).toEqual([...new Set(HARVEST_STATES.map(({ step }) => step))].sort());
});

test('deadlines run from the status; those of valuing and opening from the step', () => {
  const minutes = HARVEST_STATES.flatMap((state) => {
    const deadline = deadlineOf(state, clock);
    return deadline ? [[state.step, (deadline.getTime() - at(0).getTime()) / 60_000]] : [];
  });
  expect(Object.fromEntries(minutes)).toEqual({
    pausing: 15,
    checking: 15,
    withdrawing: 72 * 60,
    // Ten minutes after the status began, and without the five minutes of a person.
    valuing: 10 + 60 + 5,
    opening: 10 + 60,
    planning: 180,
    sending: 180,
    crediting: 180,
    moving: 180,
    resuming: 180,
  });
});

test('the time in which all payments were stopped moves every deadline', () => {
  for (const state of HARVEST_STATES) {
    const [before, after] = [0, 90_000].map((stoppedMs) => deadlineOf(state, { ...clock, stoppedMs }));
    expect(after?.getTime()).toBe(before ? before.getTime() + 90_000 : undefined);
  }
});

test('the owner is reminded after 2, 12 and 24 hours, once each', () => {
  const due = (minutes: number, sent: number[] = []) => dueReminders(AWAITING, clock, at(minutes), sent);
  expect(due(119)).toEqual([]);
  expect(due(120)).toEqual([2]);
  expect(due(13 * 60, [2])).toEqual([12]);
  expect(due(30 * 60)).toEqual([2, 12, 24]);
  // The hours in which all payments were stopped do not count.
  expect(dueReminders(AWAITING, { ...clock, stoppedMs: 60_000 }, at(120), [])).toEqual([]);
  expect(dueReminders({ status: 'stopped', step: 'trading' }, clock, at(9_999), [])).toEqual([]);
});
