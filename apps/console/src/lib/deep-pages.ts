import type { Direction } from './sorting.ts';

/** How deep the server reads a list by offset. */
const REACH = 10_000;
/** For how long the way into a list is remembered: rows that come and go shift the places along it. */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 20;

interface ListPage {
  data: unknown[];
  meta: { total: number; next_cursor: string | null };
}

/** How a call of a list is asked for some of its rows. */
export interface DeepPaging {
  limit: string;
  offset: string;
  cursor?: string;
  orderDir: Direction;
}

type ReadPage<P> = (paging: DeepPaging, signal?: AbortSignal) => Promise<P>;

interface Wanted<P> {
  /** What the list is ordered and narrowed by, beside the direction. */
  list: string;
  /** The first row, counted from 0. */
  first: number;
  rows: number;
  direction: Direction;
  read: ReadPage<P>;
  signal: AbortSignal;
}

interface Way {
  since: number;
  total: number | null;
  /** Cursors behind each so many rows, by direction. */
  cursors: Record<Direction, Promise<string | null>[]>;
}

/** What the lists on screen know of their depth. */
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

  /** The cursor behind so many times `REACH` rows, found step by step; null where the list ends before. */
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
      // Others may wait for it: it does not end with who asked first.
      return (await read(before === undefined ? last : { ...last, cursor: before })).meta.next_cursor;
    };
    const found = find();
    cursors[steps] = found;
    found.catch(() => delete cursors[steps]);
    return found;
  }

  /** Rows at a place that an offset reaches, else from a cursor on. */
  async function readAt<P extends ListPage>(way: Way, wanted: Wanted<P>): Promise<P> {
    const { first, rows, direction: orderDir, read, signal } = wanted;
    const steps = first <= REACH ? 0 : Math.floor(first / REACH);
    const asked = { limit: String(rows), offset: String(first - steps * REACH), orderDir };
    if (steps === 0) return read(asked, signal);
    const cursor = await cursorBehind(way, wanted, steps);
    return cursor === null ? beyondEnd(wanted) : read({ ...asked, cursor }, signal);
  }

  /** No rows, with what is known of all. */
  const beyondEnd = async <P extends ListPage>({ direction, read, signal }: Wanted<P>): Promise<P> => {
    const page = await read({ limit: '1', offset: '0', orderDir: direction }, signal);
    return { ...page, data: [] };
  };

  /**
   * Some rows of a list, however far in they stand. What is nearer to the end is read from there, in the opposite order:
   * the last page costs what the first does.
   */
  return async function readRows<P extends ListPage>(wanted: Wanted<P>, isAgain = false): Promise<P> {
    const way = wayOf(wanted.list);
    const { first, rows, direction } = wanted;
    if (first <= REACH) {
      const page = await readAt(way, wanted);
      way.total = page.meta.total;
      return page;
    }
    way.total ??= (await beyondEnd(wanted)).meta.total;
    const { total } = way;
    if (first >= total) return beyondEnd(wanted);
    const behind = Math.max(0, total - first - rows);
    if (first <= behind) return readAt(way, wanted);
    const fromEnd = { ...wanted, first: behind, rows: Math.min(rows, total - first) };
    const page = await readAt(way, { ...fromEnd, direction: direction === 'asc' ? 'desc' : 'asc' });
    // Rows came or went: the place from the end is another one.
    if (page.meta.total !== total && !isAgain) {
      way.total = page.meta.total;
      return readRows(wanted, true);
    }
    return { ...page, data: page.data.toReversed() };
  };
}

/** For all lists of the console. */
export const readDeepRows = createDeepPages();
