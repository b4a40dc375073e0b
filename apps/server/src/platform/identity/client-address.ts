import { isIPv6 } from 'node:net';

/**
 * Header in which the server passes the client's address to the identity service. We always set it, from the socket or
 * the trusted proxies, and drop any value that a client sends under this name.
 */
export const CLIENT_ADDRESS_HEADER = 'x-copydesk-client-address';

/** An IPv4 address, or the first half of an IPv6 address: a subscriber usually has the whole second half. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const missing = Math.max(0, 8 - groups(head).length - groups(tail).length);
  const whole = plain.includes('::')
    ? [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)]
    : groups(head);
  return whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
