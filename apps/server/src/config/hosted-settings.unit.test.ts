import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

const KEY = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----';
const WHOLE = {
  CLERK_PUBLISHABLE_KEY: 'pk_test_Y2xlcms=',
  CLERK_JWT_KEY: KEY,
  CLERK_ISSUER: 'https://clerk.example.com/',
  CLERK_SECRET_KEY: 'sk_test_canary0123456789',
  CLERK_WEBHOOK_SECRET: 'whsec_Y2FuYXJ5MDEyMzQ1Njc4OQ==',
};

test('without any of them people sign in with accounts of ours', () => {
  expect(readConfig({}).hosted).toBeNull();
  expect(readConfig({ CLERK_SECRET_KEY: ' ' }).hosted).toBeNull();
});

test('a whole set is read; line breaks of the key may be written as two characters', () => {
  const { hosted } = readConfig({
    ...WHOLE,
    CLERK_JWT_KEY: KEY.replaceAll('\n', '\\n'),
    PUBLIC_URL: 'https://console.example.com/',
  });
  expect(hosted).toMatchObject({
    jwtKey: KEY,
    issuer: 'https://clerk.example.com',
    authorizedParties: ['https://console.example.com'],
    proxyUrl: null,
    apiUrl: null,
  });
  const more = readConfig({
    ...WHOLE,
    CLERK_PROXY_URL: '/__clerk',
    CLERK_AUTHORIZED_PARTIES: 'https://a.example, https://b.example',
  });
  expect(more.hosted).toMatchObject({
    proxyUrl: '/__clerk',
    authorizedParties: ['https://a.example', 'https://b.example'],
  });
});

test.each(Object.keys(WHOLE))('without %s alone it refuses to start, and names it', (name) => {
  const { [name]: _, ...others } = WHOLE as Record<string, string>;
  expect(() => readConfig(others)).toThrow(`${name}: is missing beside the other settings of Clerk`);
  expect(() => readConfig(others)).not.toThrow('canary');
});

test('an option alone is refused as well', () => {
  expect(() => readConfig({ CLERK_PROXY_URL: '/__clerk' })).toThrow('CLERK_ISSUER: is missing');
});

test.each([
  ['CLERK_PUBLISHABLE_KEY', 'sk_test_canary'],
  ['CLERK_JWT_KEY', 'canary'],
  ['CLERK_ISSUER', 'canary'],
  ['CLERK_SECRET_KEY', 'canary'],
  ['CLERK_WEBHOOK_SECRET', 'canary'],
  ['CLERK_PROXY_URL', 'javascript:canary'],
  ['CLERK_AUTHORIZED_PARTIES', '*canary'],
])('a wrong %s is named without its value', (name, value) => {
  let message = '';
  try {
    readConfig({ ...WHOLE, [name]: value });
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(name);
  expect(message).not.toContain('canary');
});
