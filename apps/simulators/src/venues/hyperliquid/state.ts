import { decimalText, type WorldAccount } from '../../world/index.ts';
import { type Holdings, holdingsAt, liquidationPriceOf } from '../holdings.ts';

const NOTHING: Holdings = { equity: 0, wallet: 0, unrealizedPnl: 0, margin: 0, available: 0, positions: [] };

/** Amounts have at least one decimal and at most six. */
function usd(value: number): string {
  const text = decimalText(value, 6);
  return text.includes('.') ? text : `${text}.0`;
}

/**
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/perpetuals: an address without an
 * account has an empty state, not an error. For a unified account only the positions have a meaning: its balance is in
 * spot.
 */
export function getClearinghouseState(account: WorldAccount | null, now: number) {
  const held = account ? holdingsAt(account, now) : NOTHING;
  const { margin, positions } = held;
  const isUnified = account?.traits.books === 'unified';
  const { equity, wallet, available } = isUnified ? NOTHING : held;
  const notional = positions.reduce((sum, one) => sum + one.notional, 0);
  const summary = {
    accountValue: usd(equity),
    totalNtlPos: usd(notional),
    totalRawUsd: usd(wallet - positions.reduce((sum, one) => sum + signed(one.side) * one.notional, 0)),
    totalMarginUsed: usd(margin),
  };
  return {
    marginSummary: summary,
    crossMarginSummary: summary,
    crossMaintenanceMarginUsed: usd(margin / 10),
    withdrawable: usd(available),
    assetPositions: positions.map((one) => ({
      type: 'oneWay',
      position: {
        coin: one.instrument.base,
        szi: decimalText(signed(one.side) * Number(one.contracts), one.instrument.lotDecimals),
        leverage: { type: 'cross', value: one.leverage },
        entryPx: one.entryPrice,
        positionValue: usd(one.notional),
        unrealizedPnl: usd(one.unrealizedPnl),
        returnOnEquity: decimalText((one.unrealizedPnl / one.notional) * one.leverage),
        liquidationPx: decimalText(liquidationPriceOf(one), 6),
        marginUsed: usd(one.notional / one.leverage),
        maxLeverage: one.instrument.maxLeverage,
        cumFunding: { allTime: '0.0', sinceOpen: '0.0', sinceChange: '0.0' },
      },
    })),
    time: now,
  };
}

const signed = (side: 'long' | 'short') => (side === 'long' ? 1 : -1);

/**
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/spot: only a unified account has a
 * spot balance here. It includes margin and open profit; the account also holds a token that backs nothing and an
 * outcome.
 */
export function getSpotState(account: WorldAccount | null, now: number) {
  if (account?.traits.books !== 'unified')
    return { balances: [{ coin: 'USDC', token: 0, hold: '0.0', total: '0.0', entryNtl: '0.0' }] };
  const { equity, margin } = holdingsAt(account, now);
  return {
    balances: [
      { coin: 'USDC', token: 0, hold: usd(margin), total: usd(equity - 250), entryNtl: '0.0' },
      { coin: 'USDH', token: 360, hold: '0.0', total: '250.0', entryNtl: '250.0' },
      { coin: 'HYPE', token: 150, hold: '0.0', total: '12.5', entryNtl: '400.0' },
      { coin: '+92260', hold: '0.0', total: '3.0', entryNtl: '1.5' },
    ],
  };
}
