import { INSTRUMENTS, markPriceAt } from '../../world/index.ts';

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint/perpetuals */
export function getMeta() {
  return {
    universe: INSTRUMENTS.hyperliquid.map((one, nth) => ({
      szDecimals: one.lotDecimals,
      name: one.base,
      maxLeverage: one.maxLeverage,
      marginTableId: 50 + nth,
    })),
    marginTables: [],
    collateralToken: 0,
  };
}

export function getMetaAndAssetCtxs(now: number) {
  const contexts = INSTRUMENTS.hyperliquid.map((one) => {
    const mark = markPriceAt(one, now).toFixed(one.priceDecimals);
    const yesterday = markPriceAt(one, now - 86_400_000).toFixed(one.priceDecimals);
    return {
      funding: '0.0000125',
      openInterest: '10000.0',
      prevDayPx: yesterday,
      dayNtlVlm: '1000000.0',
      premium: '0.0',
      oraclePx: mark,
      markPx: mark,
      midPx: mark,
      impactPxs: [mark, mark],
      dayBaseVlm: '100.0',
    };
  });
  return [getMeta(), contexts];
}

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint: mids of all coins */
export function getAllMids(now: number): Record<string, string> {
  return Object.fromEntries(
    INSTRUMENTS.hyperliquid.map((one) => [one.base, markPriceAt(one, now).toFixed(one.priceDecimals)]),
  );
}
