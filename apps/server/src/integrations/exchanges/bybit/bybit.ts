import { LRUCache } from 'lru-cache';
import type { DecimalText, OpenPosition } from '../gateway.ts';
import { readPages } from '../paging/read-pages.ts';
import { Amount } from '../shapes/decimal-text.ts';
import { onlyReads, type Session, type Venue } from '../venue.ts';
import { readBybitEquity, readBybitIdentity, readBybitKeyInfo } from './bybit-account.ts';
import { requireUnified, unlessClassic } from './bybit-classic.ts';
import { BYBIT, BYBIT_REGIONS, bybitLimits } from './bybit-endpoints.ts';
import { bybitErrors } from './bybit-errors.ts';
import { readBybitHistory } from './bybit-history.ts';
import { readBybitInverseUsd, readBybitMode } from './bybit-mode.ts';
import { bybitPositionId, readBybitPositionRows, toBybitPositions } from './bybit-positions.ts';
import type { BybitCategory } from './bybit-symbol.ts';
import { BYBIT_POOL } from './pool/pool-endpoints.ts';

/** Positions are listed for one settlement coin at a time, inverse contracts all at once. */
const LISTS: { category: BybitCategory; settleCoin?: string }[] = [
  { category: 'linear', settleCoin: 'USDT' },
  { category: 'linear', settleCoin: 'USDC' },
  { category: 'inverse' },
];

async function readList(session: Session, list: (typeof LISTS)[number]): Promise<OpenPosition[]> {
  const request = { endpoint: BYBIT.positions, params: { ...list, limit: 200 } };
  const rows = await readPages(session, request, readBybitPositionRows, bybitPositionId);
  return toBybitPositions(rows, list.category);
}

const MODE_TTL_MS = 86_400_000;

/** Bybit: a unified account with USDT, USDC and inverse contracts. */
export function createBybit(): Venue {
  /** When an account was last seen to be a whole one, by its key: it remains one. */
  const whole = new LRUCache<string, number>({ max: 10_000 });

  async function readMode(session: Session): Promise<'whole' | 'apart'> {
    const key = 'apiKey' in session.credentials ? session.credentials.apiKey : '';
    const knownAt = whole.get(key);
    if (knownAt !== undefined && session.now() - knownAt < MODE_TTL_MS) return 'whole';
    const mode = readBybitMode(await session.call(BYBIT.accountInfo));
    if (mode === 'whole') whole.set(key, session.now());
    return mode;
  }

  /** Of the unified wallet, and of the inverse one that older unified accounts have beside it. */
  async function readEquityUsd(session: Session): Promise<DecimalText> {
    const [mode, unified] = await Promise.all([
      readMode(session),
      session.call(BYBIT.walletBalance, { accountType: 'UNIFIED' }).then(readBybitEquity),
    ]);
    if (mode === 'whole') return unified;
    return new Amount(unified).plus(await readBybitInverseUsd(session)).toFixed();
  }

  return {
    endpoints: { ...BYBIT, ...BYBIT_POOL },
    errors: bybitErrors,
    limits: bybitLimits,
    regions: BYBIT_REGIONS,
    isAllowed: onlyReads,
    reader: {
      async identify(session) {
        const answer = await session.call(BYBIT.keyInfo);
        requireUnified(answer);
        return readBybitIdentity(answer);
      },
      equityUsd: (session) => unlessClassic(session, () => readEquityUsd(session), true),
      openPositions: (session) =>
        unlessClassic(session, async () =>
          (await Promise.all(LISTS.map((list) => readList(session, list)))).flat(),
        ),
      closedPositions: (session, range, cursor) =>
        unlessClassic(session, () => readBybitHistory(session, range, cursor)),
      keyInfo: async (session) => readBybitKeyInfo(await session.call(BYBIT.keyInfo)),
    },
  };
}
