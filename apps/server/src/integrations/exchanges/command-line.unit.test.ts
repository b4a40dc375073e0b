import { expect, test } from 'vitest';
import { parseExchangeCommand } from './command-line.ts';

const NOW = 1_800_000_000_000;
const parse = (line: string, secrets = {}) => parseExchangeCommand(line.split(' '), secrets, NOW);

test('everything on the line', () => {
  expect(
    parse('okx --base-url=http://127.0.0.1:1234 --key=k --secret=s --passphrase=p --timeout=500 balances'),
  ).toMatchObject({
    command: 'balances',
    credentials: { exchange: 'okx', apiKey: 'k', secretKey: 's', passphrase: 'p' },
    settings: { okx: { baseUrl: 'http://127.0.0.1:1234', timeoutMs: 500 } },
    range: { sinceMs: NOW - 7 * 86_400_000, untilMs: NOW },
  });
});

test('secrets from the environment, a range in time', () => {
  const command = parse('bybit closed --since=2026-01-01T00:00:00Z --until=2026-02-01T00:00:00Z', {
    api_key: 'k',
    secret_key: 's',
  });
  expect(command).toMatchObject({
    credentials: { exchange: 'bybit', apiKey: 'k', secretKey: 's' },
    range: { sinceMs: Date.UTC(2026, 0, 1), untilMs: Date.UTC(2026, 1, 1) },
  });
});

test('hyperliquid has an address and an agent', () => {
  expect(parse('hyperliquid --master-address=0x1 --agent-address=0x2 --agent-key=0x3 verify')).toMatchObject({
    command: 'verify',
    credentials: { masterAddress: '0x1', agentAddress: '0x2', agentPrivateKey: '0x3' },
  });
});

test.each([
  '',
  'bybit',
  'bybit --key=k --secret=s',
  'bybit --key=k balances',
  'kraken --key=k --secret=s balances',
  'bybit --key=k --secret=s everything',
  'okx --key=k --secret=s balances',
  'bybit --key=k --secret=s balances more',
  'bybit --key=k --secret=s --wrong=1 balances',
  'bybit --key=k --secret=s --timeout=soon balances',
  'bybit --key=k --secret=s --base-url=nowhere balances',
  'bybit --key=k --secret=s --since=yesterday closed',
  'bybit --key=k --secret=s --since=2026-02-01 --until=2026-01-01 closed',
])('wrong: %j', (line) => {
  expect(parse(line)).toBeNull();
});
