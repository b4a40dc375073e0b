import { expect, test } from 'vitest';
import type { IpWhitelist } from './ip-whitelist-query.ts';
import { whitelistState } from './whitelist-state.ts';

const entry = (parts: Partial<IpWhitelist>): IpWhitelist => ({
  exchange: 'bybit',
  accUid: '1',
  isSupported: true,
  isRestricted: true,
  ips: [],
  accountType: null,
  read_at: null,
  error: null,
  ...parts,
});
const answered = (parts: Partial<IpWhitelist>) =>
  whitelistState({ isPending: false, error: null, entry: entry(parts) });
const problem = (code: 'timeout' | 'unsupported') => ({
  error: { code, message: 'Why.', retryable: true, retry_after_ms: null },
});

test.each([
  ['not restricted', { isRestricted: false, ips: ['10.0.0.1'] }, 'unrestricted'],
  ['everything allowed', { ips: ['*'] }, 'unrestricted'],
  ['a list', { ips: ['10.0.0.1', '*'] }, 'list'],
  ['a list, restricted or not is not said', { isRestricted: null, ips: ['10.0.0.1'] }, 'list'],
  ['restricted, without a list', { ips: null }, 'unavailable'],
  ['nothing said', { isRestricted: null, ips: null }, 'unavailable'],
  ['no keys at all', { isSupported: false, isRestricted: null, ips: null }, 'unavailable'],
  ['the exchange does not offer it', problem('unsupported'), 'unavailable'],
  ['the exchange failed', problem('timeout'), 'failed'],
] as const)('%s', (_, parts, kind) => {
  const { ips, ...rest } = { ips: [], ...parts };
  expect(answered({ ...rest, ips: ips && [...ips] }).kind).toBe(kind);
});

test('before the answer, without one, and without this account in it', () => {
  expect(whitelistState({ isPending: true, error: null, entry: undefined }).kind).toBe('loading');
  const failed = whitelistState({ isPending: false, error: new Error('Offline'), entry: undefined });
  expect(failed).toEqual({ kind: 'failed', reason: 'Offline' });
  expect(whitelistState({ isPending: false, error: null, entry: undefined }).kind).toBe('unavailable');
});
