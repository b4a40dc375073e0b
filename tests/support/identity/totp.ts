import { createHmac } from 'node:crypto';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The code that an authenticator app shows for an `otpauth:` address (RFC 6238), written independently of the library
 * under test.
 * @param periods how many 30-second periods from now; the server accepts one before and one after as well
 */
export function totpCode(uri: string, periods = 0): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret.replace(/=+$/, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + periods));
  const mac = createHmac('sha1', key).update(counter).digest();
  const start = (mac[19] ?? 0) & 15;
  return ((mac.readUInt32BE(start) & 0x7fffffff) % 1_000_000).toString().padStart(6, '0');
}
