import type { Column } from './column.ts';

/** The narrowest width of a track, in rem. */
const leastRem = (track: string) => Number(/([\d.]+)rem/.exec(track)?.[1] ?? 0);

/** The narrowest table in which no column is cut: below it, the table scrolls. Padding is 1rem on either side. */
export function leastWidthOf(columns: readonly Pick<Column<never>, 'track'>[], gapRem: number): string {
  const least = columns.reduce((sum, { track }) => sum + leastRem(track), 2);
  return `${least + gapRem * (columns.length - 1)}rem`;
}

/**
 * The offsets of the columns that stay in view, by id: as far from the edge as in a table that is not
 * scrolled.
 */
export function pinsOf(
  columns: readonly Pick<Column<never>, 'id' | 'track' | 'isPinned'>[],
  gapRem: number,
): ReadonlyMap<string, string> {
  const last = columns.findLastIndex(({ isPinned }) => isPinned);
  let startRem = 1;
  return new Map(
    columns.slice(0, last + 1).map(({ id, track }) => {
      const start = startRem;
      startRem += leastRem(track) + gapRem;
      return [id, `${start}rem`];
    }),
  );
}

/** Of a cell that stays in view: nothing shows through it, nor between it and the edge. */
export const PINNED =
  'sticky z-1 self-stretch grid items-center bg-inherit before:absolute before:inset-y-0 before:-start-6 before:end-full before:bg-inherit';
