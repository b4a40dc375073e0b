import { EXCHANGE_NAMES, type Exchange } from '@copydesk/domain/catalogue';

export function exchangeName(exchange: Exchange): string {
  return EXCHANGE_NAMES[exchange];
}
