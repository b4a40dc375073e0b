import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { serveConsole } from './console-files.ts';
import { createHttpServer } from './server/server.ts';

test('an API without a built console says so in its log, and what to do', async () => {
  const lines: string[] = [];
  const app = await createHttpServer({
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    trustedProxies: 0,
    isSecure: false,
    endStreams: async () => {},
  });
  onTestFinished(() => app.close());
  await serveConsole(app, '/no/such/folder');
  expect(lines.join('')).toContain('the console is not built');
  expect(lines.join('')).toContain('node scripts/prepare.mjs production');
  expect((await app.inject('/')).statusCode).toBe(404);
});
