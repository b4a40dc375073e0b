import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { privateKeyToAccount } from 'viem/accounts';
import { openOwingWorld } from '../../support/owing-world.ts';
import { clock, type Micro, record } from './history.ts';

// One machine's share of the load, through the HAProxy and PgBouncer of that machine: transactions over lists, notes by
// the API, and payouts. It writes down what it was told, and dies with its machine.
const {
  HISTORY = '',
  NUMBER = '0',
  LISTS_URL = '',
  OWNER_URL = '',
  RPC_URL = '',
  SEED = '',
  PAYER_KEY = '',
  API_URL = '',
  ORIGIN = '',
  EMAIL = '',
  PASSWORD = '',
} = process.env;

const LISTS = 40;
const LISTS_EVERY_MS = 30;
const NOTE_EVERY_MS = 2_500;
const PAY_EVERY_MS = 3_000;
const RECIPIENTS = 5;
const TRADERS = 2;
const PATIENCE_MS = 15_000;

// Values that nobody adds twice, also after a restart of this program.
let next = Number(NUMBER) * 1e12 + Math.floor(Date.now() % 1e10) * 100;

const pool = new pg.Pool({
  connectionString: LISTS_URL,
  max: 3,
  connectionTimeoutMillis: 3_000,
  query_timeout: PATIENCE_MS,
});
// Also of connections that are in use: their query fails besides.
pool.on('connect', (client) => client.on('error', () => {}));
pool.on('error', () => {});

async function overLists(): Promise<void> {
  const wanted = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => ({
    list: Math.floor(Math.random() * LISTS),
    isAppend: Math.random() < 0.5,
  }));
  const began = clock();
  const micros: Micro[] = [];
  let outcome: 'done' | 'failed' | 'unknown' = 'failed';
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
    for (const { list, isAppend } of wanted)
      if (isAppend) {
        const append = next++;
        micros.push({ list, append });
        await client.query('UPDATE chaos.list SET items = items || $2::bigint WHERE list = $1', [
          list,
          append,
        ]);
      } else {
        const { rows } = await client.query<{ items: string[] }>(
          'SELECT items FROM chaos.list WHERE list = $1',
          [list],
        );
        micros.push({ list, read: (rows[0]?.items ?? []).map(Number) });
      }
    outcome = 'unknown';
    const { command } = await client.query('COMMIT');
    // A transaction that failed answers COMMIT with ROLLBACK.
    outcome = command === 'COMMIT' ? 'done' : 'failed';
  } catch (error) {
    // The server's own refusal of a commit: nothing was committed.
    if ((error as { code?: string }).code === '40001') outcome = 'failed';
    broken = error as Error;
  } finally {
    client.release(broken);
    record(HISTORY, { kind: 'lists', began, ended: clock(), outcome, micros });
  }
}

let cookie = '';
let authorization = '';

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${API_URL}${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });

async function signIn(): Promise<void> {
  const headers = { origin: ORIGIN, 'content-type': 'application/json', 'x-forwarded-proto': 'https' };
  if (!cookie) {
    const answer = await ask('/api/auth/sign-in/email', {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    if (!answer.ok) throw new Error(`sign-in: ${answer.status}`);
    cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  }
  const answer = await ask('/api/auth/token', { headers: { ...headers, cookie } });
  if (!answer.ok) {
    cookie = '';
    throw new Error(`token: ${answer.status}`);
  }
  authorization = `Bearer ${((await answer.json()) as { token: string }).token}`;
}

/** Writes a note under one key until the API says whether it did. */
async function writeNote(traderId: string): Promise<void> {
  const text = `note ${NUMBER} ${randomUUID()}`;
  const key = randomUUID();
  const began = clock();
  for (let tries = 0; tries < 40; tries += 1) {
    const status = await (async () => {
      if (!authorization) await signIn();
      const answer = await ask('/api/notes', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ subject_kind: 'trader', subject_id: traderId, provider_id: null, text }),
      });
      await answer.body?.cancel();
      return answer.status;
    })().catch(() => 0);
    if (status === 401) authorization = '';
    if (status === 201) {
      record(HISTORY, { kind: 'note', began, ended: clock(), outcome: 'done', facts: [text] });
      return;
    }
    await sleep(1_000);
  }
  record(HISTORY, { kind: 'note', began, ended: clock(), outcome: 'unknown', facts: [text] });
}

const world = await (async () => {
  for (;;)
    try {
      return await openOwingWorld({
        databaseUrl: OWNER_URL,
        rpcUrl: RPC_URL,
        seed: Buffer.from(SEED, 'hex'),
        payer: privateKeyToAccount(PAYER_KEY as `0x${string}`),
      });
    } catch {
      await sleep(1_000);
    }
})();

async function pay(): Promise<void> {
  const began = clock();
  const community = await world.addCommunity();
  await world.owe(community, RECIPIENTS, TRADERS);
  const { communityId } = community;
  const wanted = await world
    .distribute(community)
    .then(() => 'done' as const)
    .catch(() => 'unknown' as const);
  record(HISTORY, { kind: 'payouts', began, ended: clock(), outcome: wanted, facts: [communityId] });
}

async function forever(everyMs: number, work: () => Promise<void>): Promise<never> {
  for (;;) {
    await work().catch(() => {});
    await sleep(everyMs);
  }
}

let traderId: string | undefined;
await Promise.all([
  forever(LISTS_EVERY_MS, overLists),
  forever(LISTS_EVERY_MS, overLists),
  forever(PAY_EVERY_MS, pay),
  forever(NOTE_EVERY_MS, async () => {
    traderId ??= (await world.rows<{ id: string }>('SELECT id FROM trader ORDER BY id LIMIT 1'))[0]?.id;
    if (traderId) await writeNote(traderId);
  }),
]);
