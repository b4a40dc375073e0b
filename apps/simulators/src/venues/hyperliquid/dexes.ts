import type { WorldAccount } from '../../world/index.ts';
import { getClearinghouseState } from './state.ts';

interface Dex {
  name: string;
  fullName: string;
  /** Index of a token: 0 is USDC, 360 is USDH. */
  collateralToken: number;
  /** The holdings of the account with books on other dexes: a long of one contract. */
  held: { coin: string; size: number; entry: number; mark: number; cash: number };
}

/**
 * Third-party dexes.
 * https://hyperliquid.gitbook.io/hyperliquid-docs/hyperliquid-improvement-proposals-hips/hip-3-builder-deployed-perpetuals
 */
const DEXES: Dex[] = [
  {
    name: 'xyz',
    fullName: 'XYZ',
    collateralToken: 0,
    held: { coin: 'xyz:TSLA', size: 5, entry: 250, mark: 260, cash: 1_000 },
  },
  {
    name: 'flx',
    fullName: 'Felix Exchange',
    collateralToken: 360,
    held: { coin: 'flx:GOLD', size: 2, entry: 4_000, mark: 3_990, cash: 500 },
  },
];

const MAX_LEVERAGE = 10;
const LEVERAGE = 5;

/** The first entry is the venue's own dex. */
export const listPerpDexs = () => [
  null,
  ...DEXES.map(({ name, fullName }, nth) => ({
    name,
    fullName,
    deployer: `0x${String(nth + 1).repeat(40)}`,
    oracleUpdater: null,
    feeRecipient: null,
    assetToStreamingOiCap: [],
  })),
];

/** Null: no such dex. */
export function getDexMeta(name: string) {
  const dex = DEXES.find((one) => one.name === name);
  if (!dex) return null;
  const contract = {
    szDecimals: 3,
    name: dex.held.coin,
    maxLeverage: MAX_LEVERAGE,
    marginTableId: MAX_LEVERAGE,
  };
  return { universe: [contract], marginTables: [], collateralToken: dex.collateralToken };
}

/** An account's holdings on a third-party dex. */
export function getDexState(account: WorldAccount | null, name: string, now: number) {
  const dex = DEXES.find((one) => one.name === name);
  if (!dex) return null;
  const nothing = getClearinghouseState(null, now);
  if (account?.traits.books !== 'other_dex') return nothing;
  const { coin, size, entry, mark, cash } = dex.held;
  const value = size * mark;
  const summary = {
    accountValue: (cash + size * (mark - entry)).toFixed(1),
    totalNtlPos: value.toFixed(1),
    totalRawUsd: (cash - size * entry).toFixed(1),
    totalMarginUsed: (value / LEVERAGE).toFixed(1),
  };
  return {
    ...nothing,
    marginSummary: summary,
    crossMarginSummary: summary,
    assetPositions: [
      {
        type: 'oneWay',
        position: {
          coin,
          szi: size.toFixed(1),
          leverage: { type: 'isolated', value: LEVERAGE, rawUsd: '0.0' },
          entryPx: entry.toFixed(1),
          positionValue: value.toFixed(1),
          unrealizedPnl: (size * (mark - entry)).toFixed(1),
          returnOnEquity: '0.0',
          liquidationPx: null,
          marginUsed: (value / LEVERAGE).toFixed(1),
          maxLeverage: MAX_LEVERAGE,
          cumFunding: { allTime: '0.0', sinceOpen: '0.0', sinceChange: '0.0' },
        },
      },
    ],
  };
}

/** One position closed on each of these dexes an hour after the epoch; fees are paid in the collateral. */
export function listDexFills(account: WorldAccount) {
  if (account.traits.books !== 'other_dex') return [];
  return DEXES.map(({ collateralToken, held }, nth) => ({
    coin: held.coin,
    px: held.mark.toFixed(1),
    sz: '1.0',
    side: 'A',
    time: account.epochMs + 3_600_000 + nth,
    startPosition: (held.size + 1).toFixed(1),
    dir: 'Close Long',
    closedPnl: (held.mark - held.entry).toFixed(1),
    hash: `0x${String(nth + 1).repeat(64)}`,
    oid: 900_000 + nth,
    crossed: true,
    fee: '0.1',
    tid: 9_000_001 + nth,
    feeToken: collateralToken === 0 ? 'USDC' : 'USDH',
    twapId: null,
  }));
}
