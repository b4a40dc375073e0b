/**
 * Base and quote of a contract: perpetuals in USDC end in PERP or stand before an expiry, inverse futures end in a
 * month's letter and a year. https://bybit-exchange.github.io/docs/v5/enum#symbol
 */
export function bybitSymbol(venueSymbol: string): string {
  const dated = /^([A-Z0-9]+?)(USDT|USDC)?-\d{1,2}[A-Z]{3}\d{2}$/.exec(venueSymbol);
  if (dated) return `${dated[1]}${dated[2] ?? 'USDC'}`;
  const inverse = /^([A-Z0-9]+USD)[FGHJKMNQUVXZ]\d{2}$/.exec(venueSymbol);
  if (inverse?.[1]) return inverse[1];
  return venueSymbol.replace(/PERP$/, 'USDC');
}
