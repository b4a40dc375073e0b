import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrows lead from the box of a row to that of the next one: Space, arrow, Space selects a few without the mouse. */
export function toNextBox(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (!step || !(event.target instanceof HTMLInputElement) || event.target.type !== 'checkbox') return;
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')];
  event.preventDefault();
  boxes[boxes.indexOf(event.target) + step]?.focus();
}
