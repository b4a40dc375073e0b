import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { VARIABLES_BY_SUBJECT } from './environment.ts';

const NAMES = VARIABLES_BY_SUBJECT.flatMap(([, variables]) => Object.keys(variables));

function problemOf(env: Record<string, string>): string {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(NAMES)('a wrong %s is named, in plain words and without its value', (name) => {
  for (const value of ['s3cret !!', '-7', '99999999999999']) {
    const problem = problemOf({ [name]: value });
    if (problem === '') continue;
    expect(problem).toMatch(/^The configuration is wrong:\n {2}/);
    expect(problem).not.toContain(value);
    expect(problem).not.toMatch(/invalid|expected|\bNaN\b|pattern/i);
  }
});

test.each([
  ['PORT', 'abc', 'PORT: must be a number'],
  ['PORT', '70000', 'PORT: must be at most 65535'],
  ['TRUSTED_PROXIES', '1.5', 'TRUSTED_PROXIES: must be a whole number'],
  ['AUDIT_KEY', 'short', 'AUDIT_KEY: needs 32 characters or more'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be trace or debug'],
  ['EGRESS_ADDRESSES', '203.0.113.10, here', 'EGRESS_ADDRESSES: has a wrong form'],
  ['PUBLIC_URL', 'console.example.com', 'PUBLIC_URL: must be an address, as in https://example.com'],
  ['CHAIN_RPC_URLS', 'https://rpc.example.com, rpc.example.org', 'CHAIN_RPC_URLS: must be an address'],
  ['SMTP_URL', 'mail.example.com:587', 'SMTP_URL: must be the address of a mail server'],
  ['SMTP_FROM', 'Copydesk', 'SMTP_FROM: must be an e-mail address'],
])('%s=%s: %s', (name, value, problem) => {
  expect(problemOf({ [name]: value })).toContain(problem);
});

test('entries of lists may have spaces around them', () => {
  const keys = ['a'.repeat(32), 'b'.repeat(32)];
  const { credentials, settings } = readConfig({
    EGRESS_ADDRESSES: '203.0.113.10, 2001:db8::1,',
    CREDENTIALS_OTHER_KEYS: ` ${keys.join(', ')} `,
  });
  expect(settings.defaults.egress_addresses).toEqual(['203.0.113.10', '2001:db8::1']);
  expect(credentials.otherKeys).toEqual(keys);
});

test('addresses may have spaces between them, and a sender may have a name', () => {
  const { chain } = readConfig({ CHAIN_RPC_URLS: 'https://rpc.example.com, https://rpc.example.org,' });
  expect(chain.rpcUrls).toEqual(['https://rpc.example.com', 'https://rpc.example.org']);
  expect(readConfig({ SMTP_FROM: 'Copydesk <console@example.com>' }).smtpFrom).toContain('console@');
  expect(readConfig({ SMTP_FROM: 'console@example.com' }).smtpFrom).toContain('console@');
});
