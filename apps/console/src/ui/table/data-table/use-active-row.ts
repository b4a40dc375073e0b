import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { usePersonSettings } from '../../../lib/person-settings.ts';
import { isControl } from '../row-press.ts';
import { rowAfterKey } from './visible-range.ts';

interface ActiveRowOptions {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  rowHeight: number;
  scrollTo(row: number): void;
  onOpen(row: number): void;
  /** Called first. True: the key was used. */
  onKey(row: number, event: KeyboardEvent): boolean;
}

const rowOf = (target: EventTarget) => {
  const row = (target as HTMLElement).closest<HTMLElement>('[data-row]');
  return row ? Number(row.dataset.row) : null;
};

/** `j` and `k` are arrows. By the place of the key: an Arabic or Russian keyboard has other letters there. */
const arrowOf = ({ key, code }: KeyboardEvent, shortcuts: boolean) =>
  shortcuts && code === 'KeyJ' ? 'ArrowDown' : shortcuts && code === 'KeyK' ? 'ArrowUp' : key;

/** One row is the tab stop of the whole table; the arrow keys, Home, End and the page keys move it. */
export function useActiveRow({ scroller, count, rowHeight, scrollTo, onOpen, onKey }: ActiveRowOptions) {
  const { shortcuts } = usePersonSettings();
  const [wanted, setWanted] = useState(0);
  const active = Math.max(0, Math.min(wanted, count - 1));
  // By its number: an effect of the render before may run after the key, and would take the focus back to its own row.
  const toFocus = useRef<number | null>(null);

  useEffect(() => {
    if (toFocus.current !== active) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${active}"]`);
    if (!row) return;
    toFocus.current = null;
    row.focus({ preventScroll: true });
  });

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = rowOf(event.target);
    if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isControl(event.target) && onKey(row, event)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      if (isControl(event.target)) return;
      event.preventDefault();
      onOpen(row);
      return;
    }
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const next = rowAfterKey(arrowOf(event, shortcuts), row, count, pageRows);
    if (next === null) return;
    event.preventDefault();
    toFocus.current = next;
    setWanted(next);
    scrollTo(next);
  };

  return {
    active,
    handlers: {
      onKeyDown,
      onFocus: (event: FocusEvent) => {
        const row = rowOf(event.target);
        if (row !== null) setWanted(row);
      },
      onClick: (event: MouseEvent) => {
        const row = rowOf(event.target);
        if (row !== null && !isControl(event.target) && !window.getSelection()?.toString()) onOpen(row);
      },
    },
  };
}
