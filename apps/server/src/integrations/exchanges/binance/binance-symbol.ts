/** A dated contract has its expiry after the symbol. */
export const binanceSymbol = (venueSymbol: string): string => venueSymbol.replace(/_.*$/, '');

const IN_DOLLARS = /(USDT|USDC|FDUSD|BUSD)$/;

/**
 * The payment currency of a contract when the venue does not name it: its quote, as ETHBTC pays in BTC. Null: an
 * unknown quote.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Exchange-Information
 */
export const binanceQuote = (venueSymbol: string): string | null =>
  IN_DOLLARS.exec(binanceSymbol(venueSymbol))?.[1] ?? null;
