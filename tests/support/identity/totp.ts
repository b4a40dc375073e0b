import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD_MS = 30_000;
/** What is left of a period, at the least, for a code of the one before to arrive in time. */
const IN_TIME_MS = 10_000;

/** The last period of each secret that a code was made for: codes are accepted once. */
const lastPeriods = new Map<string, number>();

/**
 * A code that an authenticator app shows for an `otpauth:` address (RFC 6238), written independently of the library
 * under test: another one at each call, whenever a period ends between two of them. The server accepts the period
 * before and the one after as well, so three calls in a row need not wait; a fourth one waits for its period.
 */
export async function totpCode(uri: string): Promise<string> {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const earliest = Math.floor((Date.now() + IN_TIME_MS) / PERIOD_MS) - 1;
  const period = Math.max(earliest, (lastPeriods.get(secret) ?? 0) + 1);
  lastPeriods.set(secret, period);
  await wait(Math.max(0, (period - 1) * PERIOD_MS - Date.now()));
  return codeOf(secret, period);
}

function codeOf(secret: string, period: number): string {
  const bits = [...secret.replace(/=+$/, '')]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const mac = createHmac('sha1', key).update(counter).digest();
  const start = (mac[19] ?? 0) & 15;
  return ((mac.readUInt32BE(start) & 0x7fffffff) % 1_000_000).toString().padStart(6, '0');
}
