import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { workerUrlOf } from '../support/application-url.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { asOwner } from '../support/owner.ts';
import { findPgBouncer, type Pooler, startPgBouncer } from '../support/pgbouncer.ts';
import { send } from '../support/send.ts';
import { AUDIT_KEY_TEXT, createTestApp, type TestApp } from '../support/test-app.ts';

const WORKER = fileURLToPath(new URL('../../apps/server/src/bin/worker.ts', import.meta.url));

const version = findPgBouncer();
if (!version) console.log('Skipped: the program pgbouncer is not installed, so no pooler is tested.');

describe.skipIf(!version)('behind PgBouncer in transaction mode', () => {
  let pooler: Pooler;
  let product: TestApp;
  beforeAll(async () => {
    product = await createTestApp({
      scale: 0.1,
      hasUnnamedStatements: true,
      viaPooler: async (url) => {
        pooler = await startPgBouncer(url, await workerUrlOf(url));
        return pooler.urlOf(url);
      },
    });
  });
  afterAll(async () => {
    await product?.close();
    await pooler?.stop();
  });

  test('concurrent requests of two scopes see their own rows, and changes are recorded', async () => {
    const [all, own] = [await product.signIn('super'), await product.signIn('staff')];
    const list = async (token: string) =>
      (await send(product.app, 'GET /api/traders', { query: { limit: '20' } }, token)).json();
    const expected = [await list(all), await list(own)].map(({ data, meta }) => [
      data.map(({ id }: { id: string }) => id),
      meta.total,
    ]);
    expect(expected[0]).not.toEqual(expected[1]);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => list(index % 2 === 0 ? all : own)),
    );
    for (const [index, { data, meta }] of answers.entries())
      expect([data.map(({ id }: { id: string }) => id), meta.total]).toEqual(expected[index % 2]);

    const id = answers[0].data[0].id;
    const body = { reference_number: 'POOLED-1' };
    const changed = await send(product.app, 'PATCH /api/traders/{id}', { params: { id }, body }, all);
    expect(changed.statusCode, changed.body).toBe(200);
    const entries = await asOwner(
      product.ownerUrl,
      'SELECT actor_kind FROM audit_entry WHERE target_id = $1',
      [id],
    );
    expect(entries).toEqual([{ actor_kind: 'user' }]);
    const csv = await send(product.app, 'GET /api/traders/export', { query: {} }, all);
    expect(csv.body).toContain('POOLED-1');
    expect((await send(product.app, 'GET /api/ready', {})).statusCode).toBe(200);
  });

  test('the connections of the pooler keep neither role nor scope nor timeouts', async () => {
    const client = new pg.Client({ connectionString: pooler.urlOf(product.ownerUrl) });
    await client.connect();
    for (let turn = 0; turn < 6; turn += 1) {
      const { rows } = await client.query(
        `SELECT current_user = session_user AS is_login, current_setting('statement_timeout') AS timeout,
           coalesce(current_setting('copydesk.scope', true), '') AS scope,
           (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks`,
      );
      expect(rows).toEqual([{ is_login: true, timeout: '0', scope: '', locks: 0 }]);
    }
    await client.end();
  });

  test('a worker starts, schedules its jobs and reads accounts', { timeout: 60_000 }, async () => {
    await asOwner(product.ownerUrl, 'UPDATE account_reading SET due_at = now(), finished_at = NULL');
    const unreachable = ['BYBIT', 'BINANCE', 'OKX', 'KUCOIN', 'HYPERLIQUID'].map((name) => [
      `EXCHANGE_${name}_URL`,
      'http://127.0.0.1:9',
    ]);
    const workerUrl = await workerUrlOf(product.ownerUrl);
    const worker = spawn(process.execPath, [WORKER], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        ...COMPILE_CACHE,
        ...Object.fromEntries(unreachable),
        DATABASE_URL: pooler.urlOf(workerUrl),
        DATABASE_DURABILITY: 'single',
        DATABASE_DIRECT_URL: workerUrl,
        DATABASE_UNNAMED_STATEMENTS: '1',
        AUDIT_KEY: AUDIT_KEY_TEXT,
        CREDENTIALS_KEY: 'test-master-key-0123456789-0123456789',
        CREDENTIALS_INDEX_KEY: 'x'.repeat(32),
        LOG_LEVEL: 'fatal',
      },
    });
    onTestFinished(() => void worker.kill('SIGKILL'));
    const state = async () =>
      (
        await asOwner<{ workers: number; is_scheduled: boolean; is_read: boolean }>(
          product.ownerUrl,
          `SELECT (SELECT count(*)::int FROM worker_heartbeat WHERE ended_at IS NULL) AS workers,
             EXISTS (SELECT FROM pgboss.schedule) AS is_scheduled,
             EXISTS (SELECT FROM account_reading WHERE finished_at IS NOT NULL) AS is_read`,
        )
      )[0];
    const wanted = { workers: 1, is_scheduled: true, is_read: true };
    for (let tries = 0; tries < 200 && JSON.stringify(await state()) !== JSON.stringify(wanted); tries += 1)
      await sleep(150);
    expect(await state()).toEqual(wanted);
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    expect(await state()).toMatchObject({ workers: 0 });
  });
});
