export interface Range {
  first: number;
  last: number;
}

/**
 * Rows to render: those in view with some on either side, and the active row wherever it is, because removing its
 * element would lose the keyboard focus.
 */
export function rowsToRender(view: Range, overscan: number, count: number, active: number): number[] {
  const first = Math.max(0, view.first - overscan);
  const last = Math.min(count - 1, view.last + overscan);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
  if (active >= 0 && active < first) return [active, ...rows];
  if (active > last && active < count) return [...rows, active];
  return rows;
}

/** The next active row after a key; null for keys that do not move it. */
export function rowAfterKey(key: string, active: number, count: number, pageRows: number): number | null {
  const clamp = (row: number) => Math.max(0, Math.min(count - 1, row));
  switch (key) {
    case 'ArrowDown':
      return clamp(active + 1);
    case 'ArrowUp':
      return clamp(active - 1);
    case 'PageDown':
      return clamp(active + pageRows);
    case 'PageUp':
      return clamp(active - pageRows);
    case 'Home':
      return 0;
    case 'End':
      return clamp(count - 1);
    default:
      return null;
  }
}
