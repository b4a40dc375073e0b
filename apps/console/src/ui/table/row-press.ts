import type { MouseEvent } from 'react';

/** Controls within a row: a press on one is not a press on the row. */
export const isControl = (target: EventTarget) =>
  (target as HTMLElement).closest('button, a, input, label') !== null;

/** Whether a press opens the row: not on a control or an open menu of it, and not while text is being selected. */
export function isRowPress({ target, currentTarget }: MouseEvent<HTMLElement>): boolean {
  // React also reports presses in a menu or dialog of the row, which is elsewhere in the document.
  return currentTarget.contains(target as Node) && !isControl(target) && !window.getSelection()?.toString();
}
