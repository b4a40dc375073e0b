import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type BareCluster,
  SYSTEM_POSTGRES,
  startBareCluster,
} from '../../../../tests/support/bare-cluster.ts';
import { runAdmin } from '../../../../tests/support/run-admin.ts';
import { AUDIT_KEY_TEXT, fillDemoWorld } from '../../../../tests/support/test-app.ts';
import { createPayingWorld, type PayingWorld } from '../../../../tests/support/world/paying-world.ts';
import { createDatabase } from '../platform/db/installation/create-database.ts';
import { migrate } from '../platform/db/installation/migrate.ts';

// A restore that is not ours: a disk that was snapshotted, and a base backup. Both are of before some payouts.
const binDir = SYSTEM_POSTGRES ?? '';
const PARTS = { snapshot: snapshotOf, 'base backup': baseBackupOf } as const;

let source: BareCluster;
let world: PayingWorld;
let folder: string;
beforeAll(async () => {
  if (!SYSTEM_POSTGRES) return;
  folder = mkdtempSync(join(tmpdir(), 'copydesk-drill-'));
  source = await startBareCluster(SYSTEM_POSTGRES);
  const ownerUrl = source.urlOf('copydesk_owner', 'secret', 'copydesk');
  await createDatabase({
    adminUrl: source.adminUrl,
    ownerUrl,
    applicationUrl: source.urlOf('copydesk_login', 'secret', 'copydesk'),
  });
  await migrate(ownerUrl);
  await fillDemoWorld(ownerUrl, 0.05);
  world = await createPayingWorld({ sharing: { ownerUrl } });
}, 600_000);
afterAll(async () => {
  await world?.close();
  await source?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

/** Every process of a cluster: the postmaster and its children. */
function processesOf({ dataFolder }: BareCluster): number[] {
  const postmaster = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return new RegExp(`^PPid:\\s+${postmaster}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false; // it has ended
    }
  });
  return [postmaster, ...children.map(Number)];
}

/** As a disk is at one moment: nothing of the server runs while its folder is copied. */
async function snapshotOf(cluster: BareCluster, into: string): Promise<void> {
  const processes = processesOf(cluster);
  for (const pid of processes) process.kill(pid, 'SIGSTOP');
  try {
    cpSync(cluster.dataFolder, into, { recursive: true });
  } finally {
    for (const pid of processes) process.kill(pid, 'SIGCONT');
  }
}

async function baseBackupOf(cluster: BareCluster, into: string): Promise<void> {
  const { port } = new URL(cluster.adminUrl);
  execFileSync(
    join(binDir, 'pg_basebackup'),
    ['-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-D', into, '-X', 'stream', '--checkpoint=fast'],
    { env: { PGPASSWORD: cluster.password }, stdio: 'ignore' },
  );
}

async function recordReading(): Promise<void> {
  const { number, hash } = await world.chain.node.getBlock({ blockTag: 'finalized' });
  await world.owner(
    `INSERT INTO chain_cursor (chain_id, token_address, block_number, block_hash) VALUES (56, $1, $2, $3)
     ON CONFLICT (chain_id, token_address) DO UPDATE SET block_number = $2, block_hash = $3`,
    [world.chain.token.address.toLowerCase(), Number(number), hash],
  );
}

const noncesOf = async () =>
  new Map(
    (
      await world.owner<{ address: string; next: string }>(
        'SELECT lower(address) AS address, next_nonce::text AS next FROM chain_wallet',
      )
    ).map(({ address, next }) => [address, next]),
  );

test.runIf(SYSTEM_POSTGRES).each(Object.keys(PARTS) as (keyof typeof PARTS)[])(
  'after a restore from a %s, check and after-restore name every wallet that is ahead',
  async (kind) => {
    const community = await world.addCommunity();
    await world.addPaid(community, 60);
    await recordReading();
    const before = await noncesOf();
    const copy = join(folder, kind);
    await PARTS[kind](source, copy);

    await world.distribute(community.id);
    await world.payOut();
    const moved = [...(await noncesOf())].flatMap(([address, next]) =>
      next === (before.get(address) ?? '0') ? [] : address,
    );
    expect(moved).toContain(community.wallet.toLowerCase());

    const restored = await startBareCluster(binDir, {
      restored: { folder: copy, password: source.password },
    });
    onTestFinished(restored.stop);
    const admin = (...args: string[]) =>
      runAdmin(
        {
          DATABASE_URL: restored.urlOf('copydesk_owner', 'secret', 'copydesk'),
          AUDIT_KEY: AUDIT_KEY_TEXT,
          CREDENTIALS_KEY: 'a master key for these tests and no others',
          CREDENTIALS_INDEX_KEY: 'an index key for these tests and no others',
          CHAIN_RPC_URLS: world.chain.url,
          TOKEN_ADDRESS: world.chain.token.address,
        },
        ...args,
      );
    const checked = await admin('check');
    expect(checked.code).toBe(1);
    expect(checked.output.toLowerCase()).toContain(`${community.wallet.toLowerCase()} (community: `);
    const { code, output } = await admin('after-restore');
    expect(code, output).toBe(0);
    const listed = [...output.matchAll(/^ {2}(0x[0-9a-f]{40}) {2}.* transactions on chain/gm)].map(
      ([, address]) => address,
    );
    expect(listed.sort()).toEqual(moved.sort());
    expect(output).toContain('All payments are stopped');
  },
  600_000,
);
