import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMPOSE } from '../../../../tests/support/compose-file.ts';
import { EXIT_CONFIG } from '../platform/process/start-error.ts';

const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const SET_UP = read('docs/operations/set-up.md');
const UPGRADING = read('docs/operations/upgrading.md');
const PROGRAMS = { api: 'copydesk-api@', worker: 'copydesk-worker@', backup: 'copydesk-backup' } as const;

const valuesIn = (text: string, key: string) =>
  [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
const unit = (name: string) => read(`deploy/systemd/${name}.service`);

test('each unit has a user, a group and a folder of its own, which the documents make', () => {
  for (const [program, name] of Object.entries(PROGRAMS)) {
    expect(valuesIn(unit(name), 'User')).toEqual([`copydesk-${program}`]);
    expect(valuesIn(unit(name), 'Group')).toEqual([`copydesk-${program}`]);
  }
  for (const program of ['api', 'worker'] as const) {
    const text = unit(PROGRAMS[program]);
    expect(valuesIn(text, 'StateDirectory')).toEqual([`copydesk-${program}`]);
    expect(valuesIn(text, 'StateDirectoryMode')).toEqual(['0700']);
    expect(text).toContain(`COPYDESK_DATA_DIR=/var/lib/copydesk-${program}\n`);
  }
  const made = `for program in ${Object.keys(PROGRAMS).join(' ')}; do useradd --system --no-create-home copydesk-$program; done`;
  expect(SET_UP).toContain(made);
  expect(UPGRADING).toContain(made);
});

test('no unit can write the programs, their compile cache, or a folder of another', () => {
  for (const [program, name] of Object.entries(PROGRAMS)) {
    const text = unit(name);
    expect(text).toMatch(/^ProtectSystem=strict$/m);
    expect(text).not.toMatch(/^CacheDirectory=|NODE_COMPILE_CACHE/m);
    expect(valuesIn(text, 'ReadWritePaths')).toEqual(program === 'backup' ? ['/var/backups/copydesk'] : []);
    const closed = valuesIn(text, 'InaccessiblePaths').join(' ').split(' ');
    const others = ['/var/lib/copydesk-api', '/var/lib/copydesk-worker', '/var/backups/copydesk'].filter(
      (path) => !path.endsWith(`-${program}`) && !(program === 'backup' && path.startsWith('/var/backups')),
    );
    expect(closed.sort()).toEqual(['/etc/copydesk', ...others].map((path) => `-${path}`).sort());
  }
});

test('only the worker is given its secrets', () => {
  const filesOf = (program: keyof typeof PROGRAMS) => valuesIn(unit(PROGRAMS[program]), 'EnvironmentFile');
  const ofWorker = ['/etc/copydesk/worker.keys.env', '-/etc/copydesk/worker.env'];
  expect(filesOf('worker')).toEqual(expect.arrayContaining(ofWorker));
  for (const program of ['api', 'backup'] as const) expect(filesOf(program).join()).not.toContain('worker');
});

test('the compile cache is made with the programs, for both users, and nothing else writes it', () => {
  const command = 'bin/copydesk compile copydesk-api copydesk-worker';
  for (const text of [SET_UP, UPGRADING, read('deploy/container/Dockerfile')])
    expect(text).toContain(command);
  // As root, after the programs are in place and before the image takes another user.
  const image = read('deploy/container/Dockerfile').split(command);
  expect(image[0]).not.toMatch(/^USER /m);
  expect(image[1]).toMatch(/^USER copydesk-api$/m);
  expect(read('deploy/container/Dockerfile')).not.toContain('NODE_COMPILE_CACHE');
});

test('each program has a user of its own in containers, which the image makes', () => {
  const users = {
    'api-1': 'copydesk-api',
    'api-2': 'copydesk-api',
    worker: 'copydesk-worker',
    tools: 'copydesk-tools',
  };
  for (const [name, user] of Object.entries(users)) expect(COMPOSE.services[name]?.user).toBe(user);
  const image = read('deploy/container/Dockerfile');
  const [, made = ''] = /for program in ([^;]+);/.exec(image) ?? [];
  expect(new Set(made.split(' ').map((each) => `copydesk-${each.split(':')[0]}`))).toEqual(
    new Set(Object.values(users)),
  );
});

test('systemd does not start a program again whose setting is wrong', () => {
  for (const program of ['api', 'worker'] as const) {
    expect(valuesIn(unit(PROGRAMS[program]), 'Restart')).toEqual(['always']);
    expect(valuesIn(unit(PROGRAMS[program]), 'RestartPreventExitStatus')).toEqual([String(EXIT_CONFIG)]);
  }
  // A timer repeats it in any case.
  expect(valuesIn(unit(PROGRAMS.backup), 'Restart')).toEqual([]);
});
