import { readChoice, rememberChoice } from '../../../../lib/stored-choice.ts';

/** Shared by the tabs: a session ends for want of input in all of them. */
const KEY = 'lastInput';
const EVENTS = ['keydown', 'pointerdown', 'touchstart'] as const;
/** Storage is written this often at most. */
const WRITE_EVERY_MS = 5_000;

/** Notes keys, clicks and touches of this tab, and knows those of the others. */
export function createLastInput(now: () => number = Date.now) {
  let at = now();
  let writtenAt = 0;

  const note = () => {
    at = now();
    if (at - writtenAt < WRITE_EVERY_MS) return;
    writtenAt = at;
    rememberChoice(KEY, String(at));
  };

  // A page that is loaded again after a long time had no input by that.
  const stored = Number(readChoice(KEY));
  if (stored > 0 && stored < at) at = stored;

  return {
    note,
    follow(target: EventTarget) {
      for (const event of EVENTS) target.addEventListener(event, note, { capture: true, passive: true });
    },
    /** How long ago the last input in any tab was, in ms. */
    ageMs: () => Math.max(0, now() - Math.max(at, Number(readChoice(KEY)))),
  };
}
