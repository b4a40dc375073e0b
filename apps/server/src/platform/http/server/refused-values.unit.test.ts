import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createHttpServer } from './server.ts';

test('a value that only the database refuses is a 422 without its text, and an error in our log', async () => {
  const logged: string[] = [];
  const app = await createHttpServer({
    log: pino({ level: 'info' }, { write: (line) => void logged.push(line) }),
    trustedProxies: 0,
    isSecure: false,
    endStreams: async () => {},
  });
  app.get('/:code', async (request) => {
    const { code } = request.params as { code: string };
    throw Object.assign(new Error('violates check constraint "canary"'), { code });
  });
  for (const code of ['23514', '22003', '22008', '22P02', '22021']) {
    logged.length = 0;
    const answer = await app.inject(`/${code}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ success: false, error: 'refused_by_rules' });
    expect(answer.body).not.toContain('canary');
    expect(logged.filter((line) => JSON.parse(line).level >= 50)).toHaveLength(1);
  }
  // A division by zero is no value of the caller's.
  expect((await app.inject('/22012')).statusCode).toBe(500);
  await app.close();
});
