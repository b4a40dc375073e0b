import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestSecure } from 'node:https';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';

const documented = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/proxy/${name}`, import.meta.url)), 'utf8');

export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** What is answered, also by a proxy with a certificate of its own making; 0: nothing. */
export function statusOf(url: string, options: RequestOptions = {}): Promise<number> {
  const send = url.startsWith('https:') ? requestSecure : requestPlain;
  return new Promise((resolve) => {
    const request = send(url, { rejectUnauthorized: false, ...options }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      answer.once('error', () => resolve(0));
    });
    request.once('error', () => resolve(0)).end();
  });
}

export interface RunningProxy {
  url: string;
  /** The same on IPv6; null without it. */
  url6: string | null;
  /** Of nginx: for each request, what each API that was asked answered. */
  asked(): string[][];
}

export type Ports = readonly [first: number, second: number];

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family }) => family === 'IPv6'),
);

function isInstalled(program: string, flag: string): boolean {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * The documented configuration with these ports, in a folder of its own.
 * @param change of the text, as an operator is told to make it
 */
async function startNginx(apis: Ports, change = (text: string) => text): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-nginx-'));
  const [plain, port] = [await freePort(), await freePort()];
  const text = hasIpv6
    ? documented('nginx.conf')
    : documented('nginx.conf').replace(/^.*listen \[::\].*\n/gm, '');
  const site = change(text)
    .replace('127.0.0.1:3001', `127.0.0.1:${apis[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${apis[1]}`)
    .replace('listen 80', `listen 127.0.0.1:${plain}`)
    .replace('listen [::]:80', `listen [::1]:${plain}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('listen [::]:443', `listen [::1]:${port}`)
    .replaceAll('/etc/letsencrypt/live/console.example.com', folder);
  const certificate = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=console.example.com', ...certificate],
    { stdio: 'ignore' },
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
     events {} http { log_format asked '$upstream_status'; access_log ${folder}/asked.log asked;
     ${temporary.join(' ')} ${site} }`,
  );
  await run(['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    folder,
    url: `https://127.0.0.1:${port}`,
  });
  return {
    url: `https://127.0.0.1:${port}`,
    url6: hasIpv6 ? `https://[::1]:${port}` : null,
    asked: () =>
      readFileSync(join(folder, 'asked.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(/[ ,:]+/)),
  };
}

/** The documented configuration, without TLS. */
async function startCaddy(apis: Ports, change = (text: string) => text): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-caddy-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  writeFileSync(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${change(documented('Caddyfile'))}`);
  const env = {
    CONSOLE_HOST: url,
    COPYDESK_APIS: apis.map((api) => `127.0.0.1:${api}`).join(' '),
    HOME: folder,
  };
  const args = ['--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
  await run(['caddy', 'run', ...args], { folder, url, env });
  return { url, url6: null, asked: () => [] };
}

async function run(
  [program, ...args]: [program: string, ...string[]],
  { folder, url, env }: { folder: string; url: string; env?: Record<string, string> },
): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore', env: { PATH: '/usr/sbin:/usr/bin:/bin', ...env } });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => statusOf(`${url}/api/health`), { timeout: 10_000 }).toBe(200);
}

export const NGINX = {
  proxy: 'nginx',
  start: startNginx,
  isThere: isInstalled('nginx', '-v') && isInstalled('openssl', 'version'),
};
export const PROXIES = [
  NGINX,
  { proxy: 'Caddy', start: startCaddy, isThere: isInstalled('caddy', 'version') },
];
