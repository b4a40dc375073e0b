import { GatewayError, type OpenPosition } from '../gateway.ts';
import { onlyReads, type Session, type Venue } from '../venue.ts';
import { readBybitEquity, readBybitIdentity, readBybitKeyInfo } from './bybit-account.ts';
import { requireUnified, unlessClassic } from './bybit-classic.ts';
import { BYBIT, bybitLimits } from './bybit-endpoints.ts';
import { bybitErrors } from './bybit-errors.ts';
import { readBybitHistory } from './bybit-history.ts';
import { readBybitPositions } from './bybit-positions.ts';
import type { BybitCategory } from './bybit-symbol.ts';
import { BYBIT_POOL } from './pool/pool-endpoints.ts';

/** Positions are listed for one settlement coin at a time, inverse contracts all at once. */
const LISTS: { category: BybitCategory; settleCoin?: string }[] = [
  { category: 'linear', settleCoin: 'USDT' },
  { category: 'linear', settleCoin: 'USDC' },
  { category: 'inverse' },
];

/** More positions than any account holds: limits the reading of a list without an end. */
const MOST_PAGES = 50;

async function readList(session: Session, list: (typeof LISTS)[number]): Promise<OpenPosition[]> {
  const all: OpenPosition[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    if (++pages > MOST_PAGES) throw new GatewayError('bad_response');
    const page = cursor === null ? {} : { cursor };
    const answer = await session.call(BYBIT.positions, { ...list, limit: 200, ...page });
    const { positions, nextCursor } = readBybitPositions(answer, list.category);
    all.push(...positions);
    // The venue repeats its cursor on the last page of some lists.
    cursor = nextCursor === cursor ? null : nextCursor;
  } while (cursor !== null);
  return all;
}

/** Bybit: a unified account with USDT, USDC and inverse contracts. */
export const bybit: Venue = {
  endpoints: { ...BYBIT, ...BYBIT_POOL },
  errors: bybitErrors,
  limits: bybitLimits,
  isAllowed: onlyReads,
  reader: {
    async identify(session) {
      const answer = await session.call(BYBIT.keyInfo);
      requireUnified(answer);
      return readBybitIdentity(answer);
    },
    equityUsd: (session) =>
      unlessClassic(
        session,
        async () => readBybitEquity(await session.call(BYBIT.walletBalance, { accountType: 'UNIFIED' })),
        true,
      ),
    openPositions: (session) =>
      unlessClassic(session, async () =>
        (await Promise.all(LISTS.map((list) => readList(session, list)))).flat(),
      ),
    closedPositions: (session, range, cursor) =>
      unlessClassic(session, () => readBybitHistory(session, range, cursor)),
    keyInfo: async (session) => readBybitKeyInfo(await session.call(BYBIT.keyInfo)),
  },
};
