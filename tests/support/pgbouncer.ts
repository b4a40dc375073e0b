import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../apps/server/src/platform/process/free-port.ts';

export interface Pooler {
  /** The address of a database behind the pooler. */
  urlOf(ownerUrl: string): string;
  stop(): Promise<void>;
}

/** The installed version of PgBouncer, as [1, 18]; null without one. */
export function findPgBouncer(): readonly [number, number] | null {
  const { stdout = '' } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return major ? [Number(major), Number(minor)] : null;
}

/**
 * PgBouncer in transaction mode before the cluster of a database, with three server connections, so that transactions of
 * one client run on several of them.
 * @param urls of the database, each with another login
 */
export async function startPgBouncer(...urls: readonly [string, ...string[]]): Promise<Pooler> {
  const server = new URL(urls[0]);
  const users = urls.map((url) => new URL(url));
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    join(folder, 'users.txt'),
    users.map(({ username, password }) => `"${username}" "${password}"\n`).join(''),
  );
  writeFileSync(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 3
server_reset_query_always = 0
`,
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child: ChildProcess = spawn('pgbouncer', [...asUser, file], { stdio: 'ignore' });
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries === 100 || child.exitCode !== null) throw new Error('PgBouncer did not start');
    await sleep(50);
  }
  return {
    urlOf(url) {
      const pooled = new URL(url);
      pooled.port = String(port);
      return pooled.href;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await Promise.race([ended, sleep(2_000).then(() => child.kill('SIGKILL'))]);
      rmSync(folder, { recursive: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}
