import { useCallback, useState } from 'react';

/** More than the server takes by name. */
const MOST_NAMED = 1_000;

/** The selected rows of a list, by their ids: some, or all that match less some. */
export interface RowSelection {
  isAll: boolean;
  /** The selected ones; of all, those that are not. */
  ids: ReadonlySet<string>;
}

const NONE: RowSelection = { isAll: false, ids: new Set() };
const ALL: RowSelection = { isAll: true, ids: new Set() };

export const isRowSelected = ({ isAll, ids }: RowSelection, id: string) => ids.has(id) !== isAll;

function toggleRow({ isAll, ids }: RowSelection, id: string): RowSelection {
  const next = new Set(ids);
  if (!next.delete(id) && next.size < MOST_NAMED) next.add(id);
  return { isAll, ids: next };
}

/** @param total how many rows match */
export const countSelected = ({ isAll, ids }: RowSelection, total: number) =>
  isAll ? Math.max(0, total - ids.size) : ids.size;

/** The selection of a list. Another filter begins another one; another order of the same rows does not. */
export function useRowSelection(key: string) {
  const [kept, setKept] = useState({ key, selection: NONE });
  const selection = kept.key === key ? kept.selection : NONE;
  const set = useCallback((next: RowSelection) => setKept({ key, selection: next }), [key]);
  return {
    selection,
    clear: useCallback(() => set(NONE), [set]),
    selectAll: useCallback(() => set(ALL), [set]),
    toggle: useCallback((id: string) => set(toggleRow(selection, id)), [set, selection]),
  };
}
export type RowSelecting = ReturnType<typeof useRowSelection>;
