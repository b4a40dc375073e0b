import { expect, test } from 'vitest';
import { EXCHANGES } from '../catalogue.ts';
import {
  CREDENTIAL_FIELDS,
  CREDENTIAL_NAMES,
  type CredentialName,
  EXCHANGE_CREDENTIALS,
  findCredentials,
  findReadingCredentials,
  missingCredentials,
  secretsIn,
} from './credentials.ts';

/** Every value is its own name, except those that are missing. */
const without =
  (...missing: CredentialName[]) =>
  (name: CredentialName) =>
    missing.includes(name) ? null : name;

test('an exchange gets its own credentials and no others', () => {
  expect(findCredentials('bybit', without())).toEqual({
    exchange: 'bybit',
    apiKey: 'api_key',
    secretKey: 'secret_key',
  });
  expect(findCredentials('hyperliquid', without())).toEqual({
    exchange: 'hyperliquid',
    masterAddress: 'master_address',
    agentAddress: 'agent_address',
    agentPrivateKey: 'agent_private_key',
  });
});

test.each(
  EXCHANGES.flatMap((exchange) => EXCHANGE_CREDENTIALS[exchange].map((name) => [exchange, name] as const)),
)('%s is not connected without %s', (exchange, name) => {
  expect(findCredentials(exchange, without(name))).toBeNull();
  expect(missingCredentials(exchange, without(name))).toEqual([name]);
  expect(missingCredentials(exchange, () => ' ')).toEqual([]);
});

test('hyperliquid is read with its master address alone', () => {
  expect(findReadingCredentials('hyperliquid', without('agent_address', 'agent_private_key'))).toEqual({
    exchange: 'hyperliquid',
    masterAddress: 'master_address',
    agentAddress: '',
    agentPrivateKey: '',
  });
  expect(findReadingCredentials('hyperliquid', without('master_address'))).toBeNull();
  expect(findReadingCredentials('okx', without('passphrase'))).toBeNull();
});

test('secrets are stored, addresses are not', () => {
  expect(CREDENTIAL_FIELDS).toEqual(['api_key', 'secret_key', 'passphrase', 'agent_private_key']);
  const stored = EXCHANGES.map((exchange) => {
    const credentials = findCredentials(exchange, without());
    return credentials && Object.entries(secretsIn(credentials)).flat();
  });
  expect(stored).toEqual([
    ['api_key', 'api_key', 'secret_key', 'secret_key'],
    ['api_key', 'api_key', 'secret_key', 'secret_key'],
    ['api_key', 'api_key', 'secret_key', 'secret_key', 'passphrase', 'passphrase'],
    ['api_key', 'api_key', 'secret_key', 'secret_key', 'passphrase', 'passphrase'],
    ['agent_private_key', 'agent_private_key'],
  ]);
});

test('no credential is listed that no exchange asks for', () => {
  const asked = new Set<string>(Object.values(EXCHANGE_CREDENTIALS).flat());
  expect([...CREDENTIAL_NAMES].sort()).toEqual([...asked].sort());
});
