import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MACHINES, type Machine } from '../../scripts/cluster/files.ts';
import { bringUp, localCluster, missingPackages, takeDown } from '../../scripts/cluster/local.ts';
import { ADDRESSES, runProgram, signalAll } from '../../scripts/cluster/machines.ts';
import { readMembers, readyStatus } from '../../scripts/cluster/observe.ts';

/** Without root or a package the tests are skipped, and counted as such. */
const isPossible = process.getuid?.() === 0 && missingPackages().length === 0;

const leaderOf = async (): Promise<Machine | undefined> =>
  (await readMembers())?.find(({ role, state }) => role === 'leader' && state === 'running')?.name;

/** Runs statements on the leader, through the port that programs of a machine use. */
function onLeader(from: Machine, text: string): string {
  const { superuser_password: password } = localCluster().passwords;
  return runProgram(from, {
    command: [
      ...['env', `PGPASSWORD=${password}`, 'psql', '-h', '127.0.0.1', '-p', '5000', '-U', 'postgres'],
      ...['-d', 'copydesk', '-v', 'ON_ERROR_STOP=1', '-qtAc', text],
    ],
  }).trim();
}

describe.runIf(isPossible)('three machines', { timeout: 600_000 }, () => {
  beforeAll(async () => {
    // One that someone tries is not ours to end.
    expect(execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })).not.toContain('copydesk-');
    await bringUp(() => {});
  }, 600_000);
  afterAll(() => takeDown({ withData: true }), 120_000);

  test('what was acknowledged is there when the leader is gone, and the console answers', async () => {
    const leader = (await leaderOf()) as Machine;
    const others = MACHINES.filter((each) => each !== leader);
    const [first = 'db1'] = others;
    onLeader(first, 'CREATE TABLE acknowledged (n int)');
    for (let n = 1; n <= 20; n += 1) onLeader(first, `INSERT INTO acknowledged VALUES (${n})`);
    expect(signalAll(leader, 'SIGKILL')).toBeGreaterThan(5);
    await expect
      .poll(leaderOf, { timeout: 120_000, interval: 500 })
      .toSatisfy((now) => now !== undefined && now !== leader);
    for (const each of others)
      await expect.poll(() => readyStatus(each), { timeout: 120_000, interval: 500 }).toBe(200);
    expect(onLeader(first, 'SELECT count(*) FROM acknowledged')).toBe('20');
    // The machine comes back, and follows.
    await bringUp(() => {});
    expect((await readMembers())?.find(({ name }) => name === leader)?.role).not.toBe('leader');
  });

  test('no machine but the three reaches a database', async () => {
    const client = new pg.Client({
      host: ADDRESSES.db1,
      user: 'postgres',
      password: localCluster().passwords.superuser_password,
      database: 'postgres',
    });
    await expect(client.connect()).rejects.toThrow(/no pg_hba.conf entry/);
  });
});
