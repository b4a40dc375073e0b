import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MACHINES, type Machine, REPOSITORY } from '../../scripts/cluster/files.ts';
import { localCluster, placeOf } from '../../scripts/cluster/lay-out.ts';
import { bringUp, missingPackages, takeDown } from '../../scripts/cluster/local.ts';
import { ADDRESSES, runProgram, signalAll } from '../../scripts/cluster/machines.ts';
import { readMembers, readyStatus, switchOver } from '../../scripts/cluster/observe.ts';
import { readArchive, restoreTo, takeBackup } from '../../scripts/cluster/repository.ts';

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

/** The same, while nobody may lead. */
function onLeaderOrNothing(text: string): string {
  try {
    return onLeader('db1', text);
  } catch {
    return '';
  }
}

const VAULT = join(placeOf(REPOSITORY).data, 'vault');

/** Statements on the database as it was, where `restoreTo` has put it. */
const inThePast = (text: string): string =>
  runProgram(REPOSITORY, {
    command: ['psql', '-h', join(placeOf(REPOSITORY).data, 'look'), '-d', 'copydesk', '-qtAc', text],
    user: 'postgres',
  }).trim();

/** Each file of the archive, with its content. */
const keptFiles = (): string[] =>
  runProgram(REPOSITORY, {
    command: ['sh', '-c', `cd ${VAULT}/archive && find . -name '0*' -type f -exec sha256sum {} + | sort`],
  })
    .trim()
    .split('\n');

/** What root of a database machine does with pgBackRest and the certificate of this machine. @throws Error if refused */
const attack = (from: Machine, ...args: string[]): string =>
  runProgram(from, {
    command: [
      ...['sh', '-c', 'exec "$@" </etc/hostname', 'sh', 'pgbackrest', '--stanza=copydesk'],
      ...[`--config=${join(placeOf(from).etc, 'pgbackrest.conf')}`, ...args],
    ],
    user: 'postgres',
  });

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

  test('the database goes back to a moment, whatever a database machine does to its archive', async () => {
    onLeader('db1', 'CREATE TABLE precious (n int)');
    onLeader('db1', 'INSERT INTO precious SELECT generate_series(1, 1000)');
    takeBackup();
    // The log has two timelines between the backup and the moment.
    onLeader('db1', 'INSERT INTO precious SELECT generate_series(1001, 2000)');
    await switchOver(localCluster().passwords.rest_password);
    const hasLeader = () => onLeaderOrNothing('SELECT NOT pg_is_in_recovery()');
    await expect.poll(hasLeader, { timeout: 60_000, interval: 500 }).toBe('t');
    onLeader('db1', 'INSERT INTO precious SELECT generate_series(2001, 3000)');
    await sleep(1_000);
    const moment = onLeader('db1', 'SELECT now()');
    await sleep(1_000);
    onLeader('db1', 'DROP TABLE precious');
    const segment = onLeader('db1', 'SELECT pg_walfile_name(pg_switch_wal())');
    await expect
      .poll(() => readArchive().archive.at(-1)?.max, { timeout: 60_000, interval: 500 })
      .toSatisfy((max) => max >= segment);

    const before = keptFiles();
    const ofSegment = before.find((line) => line.includes(segment)) ?? '';
    const [, name = ''] = /\.\/copydesk\/(\S+)/.exec(ofSegment) ?? [];
    const another = name.replace(/-[0-9a-f]{40}/, `-${'0'.repeat(40)}`);
    // It does reach the inbox, and reads there what its server can read.
    attack('db2', 'repo-put', '--raw', `archive/copydesk/${name}`);
    attack('db2', 'repo-put', '--raw', `archive/copydesk/${another}`);
    expect(
      attack('db2', 'repo-get', `--repo1-path=${placeOf(REPOSITORY).etc}`, '--raw', 'inbox.conf'),
    ).toContain(localCluster().passwords.inbox_passphrase);
    for (const file of ['vault.conf', 'vault.key'])
      expect(() =>
        attack('db2', 'repo-get', `--repo1-path=${placeOf(REPOSITORY).etc}`, '--raw', file),
      ).toThrow(/Permission denied/);
    expect(() => attack('db2', 'repo-ls', `--repo1-path=${VAULT}`)).toThrow(/Permission denied/);
    expect(() => attack('db2', 'repo-put', `--repo1-path=${VAULT}`, `archive/copydesk/${name}`)).toThrow(
      /Permission denied/,
    );
    await expect
      .poll(() => attack('db2', 'repo-ls', '--recurse'), { timeout: 20_000 })
      .not.toContain(segment);
    // The list has the key with which databases encrypt.
    expect(() => attack('db2', 'repo-put', 'archive/copydesk/archive.info')).toThrow(/not permitted/);
    attack('db2', 'stop');
    expect(() => attack('db2', 'stanza-delete', '--force')).toThrow(/not permitted/);
    attack('db2', 'start');
    expect(() => attack('db2', `--repo1-path=${VAULT}`, 'stanza-delete', '--force')).toThrow(
      /Permission denied/,
    );
    // Nor can the user that reads from the databases harm what is kept.
    const { label } = readArchive().backup.at(-1) ?? { label: 'none' };
    for (const path of [`archive/copydesk/${name}`, `backup/copydesk/${label}/backup.manifest`])
      for (const command of [
        ['rm', join(VAULT, path)],
        ['cp', '/etc/hostname', join(VAULT, path)],
      ])
        expect(() => runProgram(REPOSITORY, { command, user: 'postgres' })).toThrow(
          /Permission denied|not permitted/,
        );
    expect(keptFiles()).toEqual(expect.arrayContaining(before));
    expect(keptFiles().join()).not.toContain(another);

    // The others archive on.
    const next = onLeader('db1', 'SELECT pg_walfile_name(pg_switch_wal())');
    await expect
      .poll(() => keptFiles().join(), { timeout: 90_000, interval: 500 })
      .toSatisfy((kept) => kept.includes(next));

    restoreTo(moment);
    expect(inThePast('SELECT count(*), sum(n) FROM precious')).toBe('3000|4501500');
    expect(onLeader('db1', "SELECT to_regclass('precious') IS NULL")).toBe('t');
  });
});
