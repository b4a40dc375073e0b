/** A dated contract has its day behind the symbol. */
export const binanceSymbol = (venueSymbol: string): string => venueSymbol.replace(/_.*$/, '');

const IN_DOLLARS = /(USDT|USDC|FDUSD|BUSD)$/;

/**
 * What a contract pays in when the venue does not say: its quote, as ETHBTC does in BTC. Null: a quote that we do not
 * know. https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api/Exchange-Information
 */
export const binanceQuote = (venueSymbol: string): string | null =>
  IN_DOLLARS.exec(binanceSymbol(venueSymbol))?.[1] ?? null;
