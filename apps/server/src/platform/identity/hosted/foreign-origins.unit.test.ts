import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../http/server/server.ts';
import { foreignOriginsOf } from './foreign-origins.ts';

const publishableKey = `pk_live_${Buffer.from('clerk.console.example$').toString('base64')}`;

async function policyWith(foreign?: ReturnType<typeof foreignOriginsOf>): Promise<string> {
  const app = await createHttpServer({
    log: pino({ level: 'silent' }),
    trustedProxies: 0,
    isSecure: true,
    endStreams: async () => {},
    ...(foreign ? { foreign } : {}),
  });
  onTestFinished(() => app.close());
  return String((await app.inject('/')).headers['content-security-policy']);
}

test('without a hosted service everything comes from our own origin', async () => {
  expect(await policyWith()).toBe(
    "default-src 'self';base-uri 'none';object-src 'none';frame-ancestors 'none';form-action 'self';script-src 'self';style-src 'self';font-src 'self';img-src 'self' data:;connect-src 'self'",
  );
});

test('with one, its host may be called and gives scripts', async () => {
  const policy = await policyWith(foreignOriginsOf({ publishableKey, proxyUrl: null }));
  const frontend = 'https://clerk.console.example';
  expect(policy).toContain(`script-src 'self' ${frontend} https://challenges.cloudflare.com;`);
  expect(policy).toContain(`connect-src 'self' ${frontend};`);
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toContain('*');
});

test('a proxy replaces its host', async () => {
  const own = await policyWith(foreignOriginsOf({ publishableKey, proxyUrl: '/__clerk' }));
  expect(own).toContain("connect-src 'self';");
  const other = await policyWith(foreignOriginsOf({ publishableKey, proxyUrl: 'https://id.example/clerk' }));
  expect(other).toContain("connect-src 'self' https://id.example;");
});

test('a key that names no host is refused', () => {
  const wrong = `pk_live_${Buffer.from("x'; script-src *$").toString('base64')}`;
  expect(() => foreignOriginsOf({ publishableKey: wrong, proxyUrl: null })).toThrow('CLERK_PUBLISHABLE_KEY');
});
