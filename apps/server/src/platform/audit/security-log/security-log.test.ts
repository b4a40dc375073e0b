import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCuttableProxy } from '../../../../../../tests/support/cuttable-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts';
import { asOwner } from '../../../../../../tests/support/owner.ts';
import { createPool } from '../../db/connection/connection.ts';
import { createDatabase, type Database } from '../../db/database.ts';
import type { RefusedAttempt } from './refusal.ts';
import { createSecurityLog, type SecurityLog } from './security-log.ts';

let database: TestDatabase;
let proxy: Awaited<ReturnType<typeof createCuttableProxy>>;
let db: Database;
const logs: SecurityLog[] = [];
const lines: string[] = [];
const now = () => new Date('2026-11-23T10:20:30Z');

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await createCuttableProxy(database.ownerUrl);
  const pool = createPool({ url: proxy.url, applicationName: 'test' });
  db = createDatabase({ pool, auditKey: Buffer.alloc(32), now });
});
afterAll(async () => {
  await Promise.all(logs.map((securityLog) => securityLog.close()));
  await db.close();
  await proxy.close();
  await database.drop();
});

/** The log of one process. */
function start(): SecurityLog {
  const securityLog = createSecurityLog({
    db,
    now,
    log: pino({ level: 'warn' }, { write: (line) => lines.push(line) }),
  });
  logs.push(securityLog);
  return securityLog;
}
const refusal = (over: Partial<RefusedAttempt> = {}): RefusedAttempt => ({
  code: 'invalid_token',
  call: 'GET /api/traders',
  caller: null,
  address: '203.0.113.7',
  requestId: 'r1',
  ...over,
});
const rows = (call: string) =>
  asOwner<{ count: string; caller_name: string | null }>(
    database.ownerUrl,
    'SELECT count::text AS count, caller_name FROM refused_attempt WHERE call = $1',
    [call],
  );

test('processes count into the same row, at once and after each other', async () => {
  const call = 'GET /api/communities';
  const [first, second] = [start(), start()];
  for (let n = 0; n < 20; n += 1) {
    for (const securityLog of [first, second])
      for (const address of ['203.0.113.7', '203.0.113.8']) securityLog.note(refusal({ call, address }));
    await Promise.all([first.flush(), second.flush()]);
  }
  expect(await rows(call)).toEqual([
    { count: '40', caller_name: null },
    { count: '40', caller_name: null },
  ]);
});

test('what the database could not take is written when it is back', async () => {
  const call = 'GET /api/invoices';
  const securityLog = start();
  securityLog.note(refusal({ call }));
  proxy.cut();
  await securityLog.flush();
  expect(lines.join()).toContain('refused attempts were not written yet');
  proxy.mend();
  expect(await rows(call)).toEqual([]);
  securityLog.note(refusal({ call }));
  await securityLog.flush();
  expect(await rows(call)).toEqual([{ count: '2', caller_name: null }]);
});

test('closing writes the rest, with callers that are still being found', async () => {
  const call = 'POST /api/auth/sign-in/email';
  const securityLog = start();
  const person = { kind: 'user', id: 'u', name: 'found@example.com' } as const;
  securityLog.noteAfter(refusal({ call, code: 'wrong_password' }), async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return person;
  });
  securityLog.noteAfter(refusal({ call, code: 'wrong_code' }), () => Promise.reject(new Error('gone')));
  expect(securityLog.counts().get('authentication')).toBe(0);
  await securityLog.close();
  expect(await rows(call)).toHaveLength(2);
  expect(await rows(call)).toContainEqual({ count: '1', caller_name: person.name });
  expect(securityLog.counts().get('authentication')).toBe(2);
  expect(securityLog.counts().get('four_eyes')).toBe(0);
});

test('many sign-ins at once are all counted, some without their caller', async () => {
  const call = 'POST /api/auth/two-factor/verify-totp';
  const securityLog = start();
  const found = Promise.withResolvers<null>();
  for (let n = 0; n < 300; n += 1)
    securityLog.noteAfter(refusal({ call, code: 'wrong_code' }), () => found.promise);
  // Those beyond the number that may wait.
  expect(securityLog.counts().get('authentication')).toBe(200);
  found.resolve(null);
  await securityLog.flush();
  expect(await rows(call)).toEqual([{ count: '300', caller_name: null }]);
});
