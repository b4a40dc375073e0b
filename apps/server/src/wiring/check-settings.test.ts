import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database.ts';
import { longTest } from '../../../../tests/support/long-test.ts';
import { askAdmin, runAdmin } from '../../../../tests/support/run-admin.ts';
import { AUDIT_KEY_TEXT } from '../../../../tests/support/test-app.ts';

// Patience, not a measure: the doctor looks at every file of the programs.
vi.setConfig({ testTimeout: 240_000 });

// How an installation goes out: proxies, authorities. What the roles of the database say: create-database.long.test.ts.
let database: TestDatabase;
let folder: string;
let proxy: Server;
let asked: string[];
let proxyUrl: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'copydesk-settings-'));
  asked = [];
  proxy = createServer((request, response) => {
    // In place of the chain, which no one but the proxy reaches.
    asked.push(String(request.url));
    response.setHeader('content-type', 'application/json');
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () =>
      response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body || '{}').id ?? 1, result: '0x1' })),
    );
  });
  // What fetch asks of a proxy, also for plain HTTP.
  proxy.on('connect', (request, socket) => {
    asked.push(String(request.url));
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  proxy?.close();
  rmSync(folder, { recursive: true, force: true });
  await database?.drop();
});

const whole = (env: Record<string, string>) => ({
  DATABASE_URL: database.ownerUrl,
  AUDIT_KEY: AUDIT_KEY_TEXT,
  PORT: '3000',
  ...env,
});
const admin = (env: Record<string, string>, ...args: string[]) => askAdmin(whole(env), ...args);
/** For what Node itself takes from the environment. */
const adminProcess = (env: Record<string, string>, ...args: string[]) => runAdmin(whole(env), ...args);

test('a proxy that Node goes around is a line of the doctor, which names the setting', async () => {
  const { output, code } = await admin({ HTTPS_PROXY: proxyUrl }, 'doctor');
  expect(output).toContain('WRONG\tHTTPS_PROXY is set, and Node goes around it');
  expect(output).toContain('Add this line to settings.env: NODE_USE_ENV_PROXY=1\n');
  expect(code).toBe(1);
  const used = await admin({ HTTPS_PROXY: proxyUrl, NODE_USE_ENV_PROXY: '1' }, 'doctor');
  expect(used.output).not.toContain('NODE_USE_ENV_PROXY');
  expect(used.output).toContain('Add this line to settings.env: EXCHANGE_PROXY_URL=');
  const complete = await admin(
    { HTTPS_PROXY: proxyUrl, NODE_USE_ENV_PROXY: '1', EXCHANGE_PROXY_URL: proxyUrl },
    'doctor',
  );
  expect(complete.output).not.toContain('PROXY');
});

test('with NODE_USE_ENV_PROXY=1 the chain is asked through the proxy, and without it is not', async () => {
  const chain = {
    CHAIN_RPC_URLS: 'http://chain.invalid:8545',
    HTTP_PROXY: proxyUrl,
    CHAIN_TIMEOUT_MS: '2000',
  };
  await adminProcess(chain, 'after-restore');
  expect(asked).toEqual([]);
  await adminProcess({ ...chain, NODE_USE_ENV_PROXY: '1' }, 'after-restore');
  expect(asked.some((url) => url.includes('chain.invalid:8545'))).toBe(true);
});

longTest('a file of authorities that Node leaves out is a line of the doctor', async () => {
  const doctorWith = async (file: string) =>
    (await adminProcess({ NODE_EXTRA_CA_CERTS: file }, 'doctor')).output;
  expect(await doctorWith(join(folder, 'missing.crt'))).toContain(
    `WRONG\tNODE_EXTRA_CA_CERTS: ${join(folder, 'missing.crt')}: there is no such file or folder.`,
  );
  const empty = join(folder, 'empty.crt');
  writeFileSync(empty, 'no certificate');
  expect(await doctorWith(empty)).toContain(`WRONG\tNODE_EXTRA_CA_CERTS: ${empty} has no certificate`);
  const good = join(folder, 'good.crt');
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=own'];
  execFileSync('openssl', [...words, '-keyout', join(folder, 'good.key'), '-out', good], { stdio: 'ignore' });
  expect(await doctorWith(good)).not.toContain('NODE_EXTRA_CA_CERTS');
});

test('before the first start, an address that does not connect is a line of the doctor and not its end', async () => {
  const { output, code } = await admin(
    { DATABASE_OWNER_URL: 'postgres://owner:s3cret@127.0.0.1:9/copydesk', HTTPS_PROXY: proxyUrl },
    'doctor',
  );
  expect(output).toContain('WRONG\tHTTPS_PROXY is set');
  expect(output).toContain(
    'WRONG\tDATABASE_OWNER_URL: nothing answers at 127.0.0.1:9. Is PostgreSQL running',
  );
  expect(output).not.toContain('s3cret');
  expect(code).toBe(1);
});
