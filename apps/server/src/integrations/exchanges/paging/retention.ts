import { GatewayError } from '../gateway.ts';
import type { Endpoint, Session } from '../venue.ts';
import { DAY_MS, type TimeRange } from './windows.ts';

/**
 * A venue measures its memory by its own clock and refuses a range that begins a second too early. Clocks further apart
 * than this are refused before the range is.
 */
const MARGIN_MS = 60_000;
/** Refusals this close to the edge are believed to be about the edge, which may have moved. */
const EDGE_MS = 30 * DAY_MS;

/** The oldest instant that may be asked for of a venue that documents how many days it remembers. */
export const rememberedFrom = (nowMs: number, days: number, marginMs = MARGIN_MS): number =>
  nowMs - days * DAY_MS + marginMs;

/**
 * Reads a window at the edge of a venue's memory; null: the venue refused it as too old, and reading goes on later
 * (`behindEdge`). A window elsewhere that is refused stays an error.
 * @param codes the venue's codes for such a refusal
 */
export async function unlessForgotten<T>(
  session: Session,
  { endpoint, window, coverageFrom, codes }: EdgeRequest,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const isRefused = error instanceof GatewayError && codes.has(error.venueCode ?? '');
    if (!isRefused || window.sinceMs - coverageFrom > EDGE_MS) throw error;
    session.noteEnd(endpoint, 'range_refused');
    return null;
  }
}

export interface EdgeRequest {
  endpoint: Endpoint;
  window: TimeRange;
  coverageFrom: number;
  codes: ReadonlySet<string>;
}

const FIRST_STEP_MS = 3_600_000;

/** Where reading continues after a refused window: twice as far from the edge, so that a few requests find the memory. */
export const behindEdge = (window: TimeRange, coverageFrom: number): number =>
  window.sinceMs + Math.max(FIRST_STEP_MS, window.sinceMs - coverageFrom);
