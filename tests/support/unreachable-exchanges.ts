import { EXCHANGES } from '@copydesk/domain/catalogue';

/** No server listens there: without simulators, every exchange is unreachable. */
export const UNREACHABLE_EXCHANGES = Object.fromEntries(
  EXCHANGES.map((exchange) => [`EXCHANGE_${exchange.toUpperCase()}_URL`, 'http://127.0.0.1:9']),
);
