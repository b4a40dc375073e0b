import { type ListPage, REACH, type Wanted } from './deep-paging.ts';
import type { Direction } from './sorting.ts';

/** How long cursors into a list are remembered: rows that come and go shift their positions. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 20;

interface Way {
  since: number;
  total: number | null;
  /** Cursors behind each so many rows, by direction. */
  cursors: Record<Direction, Promise<string | null>[]>;
}

/** The known cursors of the lists on screen. */
export function createDeepPages(now: () => number = Date.now) {
  const ways = new Map<string, Way>();

  function wayOf(list: string): Way {
    const known = ways.get(list);
    if (known && now() - known.since < REMEMBERED_MS) return known;
    const way: Way = { since: now(), total: null, cursors: { asc: [], desc: [] } };
    ways.delete(list);
    ways.set(list, way);
    for (const oldest of ways.keys()) {
      if (ways.size <= MOST_REMEMBERED) break;
      ways.delete(oldest);
    }
    return way;
  }

  /** The cursor after a multiple of `REACH` rows, found step by step; null when the list ends before. */
  function cursorBehind<P extends ListPage>(
    way: Way,
    wanted: Wanted<P>,
    steps: number,
  ): Promise<string | null> {
    const { read, direction } = wanted;
    const cursors = way.cursors[direction];
    const known = cursors[steps];
    if (known) return known;
    const find = async () => {
      const before = steps > 1 ? await cursorBehind(way, wanted, steps - 1) : undefined;
      if (before === null) return null;
      const last = { limit: '1', offset: String(REACH - 1), orderDir: direction };
      // Other callers may wait for it, so the first caller's abort does not end it.
      return (await read(before === undefined ? last : { ...last, cursor: before })).meta.next_cursor;
    };
    const found = find();
    cursors[steps] = found;
    found.catch(() => delete cursors[steps]);
    return found;
  }

  /** Reads rows by offset where the server allows it, else from a cursor. */
  async function readAt<P extends ListPage>(way: Way, wanted: Wanted<P>): Promise<P> {
    const { first, rows, direction: orderDir, read, signal } = wanted;
    const steps = first <= REACH ? 0 : Math.floor(first / REACH);
    const asked = { limit: String(rows), offset: String(first - steps * REACH), orderDir };
    if (steps === 0) return read(asked, signal);
    const cursor = await cursorBehind(way, wanted, steps);
    return cursor === null ? beyondEnd(wanted) : read({ ...asked, cursor }, signal);
  }

  /** No rows, with the list's known total. */
  const beyondEnd = async <P extends ListPage>({ direction, read, signal }: Wanted<P>): Promise<P> => {
    const page = await read({ limit: '1', offset: '0', orderDir: direction }, signal);
    return { ...page, data: [] };
  };

  /**
   * Reads rows beyond the reach of offsets. Rows nearer to the end are read from there, in the opposite order: the last
   * page costs as much as the first.
   * @param knownTotal how many rows the list had a moment ago
   */
  return async function readRows<P extends ListPage>(
    wanted: Wanted<P>,
    knownTotal?: number,
    isAgain = false,
  ): Promise<P> {
    const way = wayOf(wanted.list);
    const { first, rows, direction } = wanted;
    way.total ??= knownTotal ?? (await beyondEnd(wanted)).meta.total;
    const { total } = way;
    if (first >= total) return beyondEnd(wanted);
    const behind = Math.max(0, total - first - rows);
    if (first <= behind) return readAt(way, wanted);
    const fromEnd = { ...wanted, first: behind, rows: Math.min(rows, total - first) };
    const page = await readAt(way, { ...fromEnd, direction: direction === 'asc' ? 'desc' : 'asc' });
    // Rows came or went, so positions counted from the end have shifted.
    if (page.meta.total !== total && !isAgain) {
      way.total = page.meta.total;
      return readRows(wanted, undefined, true);
    }
    return { ...page, data: page.data.toReversed() };
  };
}

/** Shared by all lists of the console. */
export const deepPages = createDeepPages();
