import { VenueRefusal, type VenueRequest } from '../venue.ts';

export interface Question {
  type: string;
  /** In lower case; empty for types without one. */
  user: string;
  startTime: number;
  endTime: number | null;
  /** The name of a third-party dex; empty for the venue's own. */
  dex: string;
}

/**
 * Weight of a request: https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits
 */
const WEIGHTS: Record<string, number> = {
  clearinghouseState: 2,
  spotClearinghouseState: 2,
  allMids: 2,
  userRole: 60,
};
const WEIGHT = 20;
/** Lists of fills cost one more for every 20 rows. */
const ROWS_A_WEIGHT = 20;

export function weightOf(type: string): number {
  return WEIGHTS[type] ?? WEIGHT;
}

export function weightOfRows(rows: number): number {
  return Math.floor(rows / ROWS_A_WEIGHT);
}

const NEED_USER = [
  'clearinghouseState',
  'spotClearinghouseState',
  'userFills',
  'userFillsByTime',
  'userRole',
  'extraAgents',
  'userAbstraction',
];

/** The type of a request, before the rest of it is read. */
export function typeOf({ body }: VenueRequest): string | null {
  try {
    const type = JSON.parse(body)?.type;
    return typeof type === 'string' ? type : null;
  } catch {
    return null;
  }
}

/** The address in a request, if it has one. */
export function userOf({ body }: VenueRequest): string | null {
  try {
    const user = JSON.parse(body)?.user;
    return typeof user === 'string' && /^0x[0-9a-f]{40}$/i.test(user) ? user.toLowerCase() : null;
  } catch {
    return null;
  }
}

/** A request to /info, or the venue's refusal of an unreadable one. */
export function readQuestion(request: VenueRequest): Question {
  const type = typeOf(request);
  const user = userOf(request);
  if (type === null || (NEED_USER.includes(type) && user === null)) throw unreadable();
  const { startTime = 0, endTime = null, dex = '' } = JSON.parse(request.body);
  if (typeof dex !== 'string') throw unreadable();
  if (type === 'userFillsByTime' && JSON.parse(request.body).startTime === undefined) throw unreadable();
  if (!Number.isInteger(startTime) || (endTime !== null && !Number.isInteger(endTime))) throw unreadable();
  return { type, user: user ?? '', startTime, endTime, dex };
}

export function unreadable(): VenueRefusal {
  return new VenueRefusal({
    status: 422,
    text: 'Failed to deserialize the JSON body into the target type',
  });
}
