import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALL_MACHINES, MACHINES, type Passwords, REPOSITORY, renderFiles } from './files.ts';

const passwords = new Proxy({} as Passwords, { get: (_, name) => `of ${String(name)}` });
const all = {
  addresses: { db1: '10.0.0.11', db2: '10.0.0.12', db3: '10.0.0.13', backup: '10.0.0.14' },
  host: 'console.example.com',
  passwords: Object.fromEntries(
    [...['superuser', 'replication', 'rewind', 'rest', 'login'], ...['worker', 'operator', 'owner', 'backup']]
      .map((name) => `${name}_password`)
      .concat('inbox_passphrase', 'vault_passphrase')
      .map((name) => [name, passwords[name as keyof Passwords]]),
  ) as Passwords,
};
const place = () => ({ etc: '/etc/copydesk-cluster', data: '/var/lib/copydesk-cluster' });

test.each(MACHINES)('the files of %s say who it is, and name all three', (machine) => {
  const files = renderFiles(machine, all, place);
  for (const [name, text] of Object.entries(files)) expect(text, name).not.toMatch(/<|undefined/);
  const { 'patroni.yml': patroni = '', 'etcd.yml': etcd = '', 'haproxy.cfg': haproxy = '' } = files;
  expect(patroni).toContain(`name: ${machine}\n`);
  expect(patroni).toContain(`connect_address: ${all.addresses[machine]}:5432`);
  for (const each of MACHINES) {
    expect(etcd).toContain(`${each}=http://${all.addresses[each]}:2380`);
    expect(patroni).toContain(`host all all ${all.addresses[each]}/32 scram-sha-256`);
    expect(haproxy.split(`server ${each} ${all.addresses[each]}:5432`)).toHaveLength(3);
  }
});

test('each password is where it is needed and nowhere else', () => {
  const files = renderFiles('db1', all, place);
  const placesOf = (name: keyof Passwords) =>
    Object.entries(files).flatMap(([file, text]) => (text.includes(passwords[name]) ? file : []));
  expect(placesOf('superuser_password')).toEqual(['owner.env', 'patroni.yml']);
  expect(placesOf('replication_password')).toEqual(['patroni.yml']);
  expect(placesOf('login_password')).toEqual(['pgbouncer-users.txt', 'settings.env']);
  expect(placesOf('worker_password')).toEqual(['worker.env']);
  expect(placesOf('operator_password')).toEqual(['operator.env']);
});

test('the passphrases are on the repository alone, each in one file', () => {
  const placesOf = (name: keyof Passwords) =>
    ALL_MACHINES.flatMap((machine) =>
      Object.entries(renderFiles(machine, all, place)).flatMap(([file, text]) =>
        text.includes(passwords[name]) ? `${machine}/${file}` : [],
      ),
    );
  expect(placesOf('inbox_passphrase')).toEqual(['backup/inbox.conf']);
  expect(placesOf('vault_passphrase')).toEqual(['backup/vault.conf']);
  expect(Object.keys(renderFiles(REPOSITORY, all, place))).not.toContain('patroni.yml');
});

test('a file that names a value that there is not is not written', () => {
  const { backup_password: _, ...others } = all.passwords;
  expect(() => renderFiles('db1', { ...all, passwords: others as Passwords }, place)).toThrow(
    '<backup_password> has no value',
  );
});

test('every file of the cluster is described', () => {
  const folder = new URL('../../deploy/cluster/', import.meta.url);
  const guide = readFileSync(new URL('../../docs/operations/cluster.md', import.meta.url), 'utf8');
  for (const file of [...readdirSync(folder), ...readdirSync(new URL('repository/', folder))])
    expect(guide, file).toContain(`\`${file}\``);
});
