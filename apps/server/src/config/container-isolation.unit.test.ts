import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { COMPOSE } from '../../../../tests/support/compose-file.ts';

// What a service of compose.yaml reaches, and what it runs.
const container = (path: string) =>
  fileURLToPath(new URL(`../../../../deploy/container/${path}`, import.meta.url));
const read = (path: string) => readFileSync(container(path), 'utf8');
const services = Object.entries(COMPOSE.services);
const folder = mkdtempSync(join(tmpdir(), 'copydesk-images-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('each service is in the networks of those that it talks to, and in no other', () => {
  expect(Object.fromEntries(services.map(([name, { networks }]) => [name, networks]))).toEqual({
    database: ['data'],
    'api-1': ['edge', 'data', 'figures', 'outside'],
    'api-2': ['edge', 'data', 'figures', 'outside'],
    worker: ['data', 'figures', 'outside'],
    tools: ['data', 'outside'],
    proxy: ['edge', 'public'],
    prometheus: ['figures', 'local'],
  });
  for (const [, service] of services) expect(service).not.toHaveProperty('network_mode');
  const internal = Object.keys(COMPOSE.networks).filter((name) => COMPOSE.networks[name]?.internal === true);
  expect(internal.sort()).toEqual(['data', 'edge', 'figures']);
  // Of two networks with a way out, Docker takes one as the gateway by their names.
  for (const [name, { networks = [] }] of services)
    expect(networks.filter((network) => !internal.includes(network)).length, name).toBe(
      name === 'database' ? 0 : 1,
    );
  const optionOf = (network: string, option: string) =>
    COMPOSE.networks[network]?.driver_opts?.[`com.docker.network.bridge.${option}`];
  expect(optionOf('outside', 'enable_icc')).toBe('false');
  expect(optionOf('local', 'enable_ip_masquerade')).toBe('false');
});

test('only the proxy is reached from other machines', () => {
  const published = Object.fromEntries(
    services.flatMap(([name, { ports = [] }]) => {
      const open = ports.filter((port) => !port.startsWith('127.0.0.1:'));
      return open.length > 0 ? [[name, open]] : [];
    }),
  );
  expect(published).toEqual({ proxy: ['80:80', '443:443', '443:443/udp'] });
});

test('PostgreSQL takes TLS and passwords alone, and only it reads its key', () => {
  const rules = read('pg_hba.conf')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/\s+/).join(' '));
  expect(rules).toEqual(['local all postgres peer', 'hostssl all all all scram-sha-256']);
  const { command, volumes } = COMPOSE.services.database;
  const settings = command.filter((word) => word.includes('='));
  expect(settings).toEqual(
    expect.arrayContaining([
      'hba_file=/etc/postgresql/pg_hba.conf',
      'ssl=on',
      'ssl_min_protocol_version=TLSv1.3',
    ]),
  );
  expect(volumes).toContain('./pg_hba.conf:/etc/postgresql/pg_hba.conf:ro');
  const readersOf = (secret: string) =>
    services.filter(([, { secrets = [] }]) => secrets.includes(secret)).map(([name]) => name);
  expect(readersOf('database-key')).toEqual(['database']);
  expect(readersOf('postgres')).toEqual(['database']);
  expect(readersOf('database-ca')).toEqual(['api-1', 'api-2', 'worker', 'tools']);
  const named = Object.values(COMPOSE.secrets).map(({ file }) => file);
  expect(named).toEqual(['env/postgres-password', 'tls/ca.crt', 'tls/database.crt', 'tls/database.key']);
});

test('the addresses of the set-up compare the certificate with the name of the service', () => {
  const setUp = readFileSync(container('../../docs/operations/set-up.md'), 'utf8');
  const [, query = ''] = /`(\?sslmode=[^`]+)`/.exec(setUp.slice(setUp.indexOf('## With containers'))) ?? [];
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
    sslmode: 'verify-full',
    sslrootcert: '/run/secrets/database-ca',
  });
  expect(read('make-certificates.sh')).toMatch(/^name=\$\{2:-database\}$/m);
});

test('no service can write its own root, gain rights, or write what another one reads', () => {
  for (const [name, service] of services) {
    expect(service.read_only, name).toBe(true);
    expect(service.cap_drop, name).toEqual(['ALL']);
    expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
    expect(service, name).not.toHaveProperty('privileged');
  }
  const added = services.flatMap(([name, { cap_add }]) => (cap_add ? [[name, cap_add]] : []));
  expect(Object.fromEntries(added)).toEqual({
    database: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
    proxy: ['NET_BIND_SERVICE'],
  });
  const written = services.flatMap(([, { volumes = [] }]) =>
    volumes.filter((volume) => !volume.endsWith(':ro')).map((volume) => volume.split(':')[0]),
  );
  expect(written.sort()).toEqual(['./backups', 'certificates', 'database', 'figures', 'worker']);
  const all = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]));
  expect(all.length).toBe(new Set(all).size);
  expect(all).not.toContain('/var/run/docker.sock');
});

/** Images of other people, as `name:tag@${VARIABLE`. */
const PINNED = /^([a-z0-9./-]+:[A-Za-z0-9._-]+)@\$\{([A-Z]+_DIGEST)(?::\?run pin-images\.sh)?\}$/;

test('every image is ours, or is taken by a digest that has to be given', () => {
  const built = services.filter(([, { image }]) => image === 'copydesk').map(([name]) => name);
  expect(built).toEqual(['api-1', 'api-2', 'worker', 'tools']);
  const others = services.filter(([name]) => !built.includes(name)).map(([, { image }]) => image);
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  expect(others.length + bases.length).toBe(5);
  for (const image of [...others, ...bases]) expect(image).toMatch(PINNED);
  for (const image of others) expect(image).toContain(':?');
  // An argument with a default would be built without a digest of the operator.
  for (const line of read('Dockerfile').match(/^ARG .*/gm) ?? []) expect(line).toMatch(/^ARG [A-Z]+_DIGEST$/);
  const { args = {} } = COMPOSE.services['api-1']?.build ?? {};
  expect(Object.entries(args)).toEqual(
    ['NODE_DIGEST', 'DEBIAN_DIGEST'].map((name) => [name, `\${${name}:?run pin-images.sh}`]),
  );
});

/** Runs pin-images.sh with a Docker that answers what a registry gave. */
function pin(digestsOf: (image: string) => string, env: string) {
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  for (const file of ['pin-images.sh', 'compose.yaml', 'Dockerfile'])
    copyFileSync(container(file), join(folder, file));
  const images = [
    'node:24-trixie-slim',
    'debian:trixie-slim',
    'postgres:17',
    'caddy:2',
    'prom/prometheus:v3.6.0',
  ];
  const answers = images.map((image) => `${image}) printf '%s\\n' "${digestsOf(image)}" ;;`).join('\n');
  const docker = `#!/bin/sh\n[ "$1" = pull ] && exit 0\nfor last; do :; done\ncase $last in\n${answers}\n*) exit 1 ;;\nesac\n`;
  writeFileSync(join(folder, 'docker'), docker);
  chmodSync(join(folder, 'docker'), 0o755);
  if (env) writeFileSync(join(folder, '.env'), env);
  const { status, stderr } = spawnSync(join(folder, 'pin-images.sh'), {
    env: { PATH: `${folder}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  const written = readdirSync(folder).filter((name) => name.startsWith('.env'));
  return {
    status,
    stderr,
    written,
    text: written.includes('.env') ? readFileSync(join(folder, '.env'), 'utf8') : '',
  };
}

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

test('pin-images.sh writes the digest of every image, and leaves the rest of .env', () => {
  const found = (image: string) =>
    `elsewhere.example/x@${digest('0')}\n${image.split(':')[0]}@${digest(image[0] === 'n' ? 'd' : 'a')}`;
  const { status, text } = pin(found, `CONSOLE_HOST=console.example.com\nNODE_DIGEST=${digest('b')}\n`);
  expect({ status, lines: text.trim().split('\n').sort() }).toEqual({
    status: 0,
    lines: [
      `CADDY_DIGEST=${digest('a')}`,
      'CONSOLE_HOST=console.example.com',
      `DEBIAN_DIGEST=${digest('a')}`,
      `NODE_DIGEST=${digest('d')}`,
      `POSTGRES_DIGEST=${digest('a')}`,
      `PROMETHEUS_DIGEST=${digest('a')}`,
    ],
  });
  expect(pin(found, '').status).toBe(0);
});

test.each([
  ['none', () => ''],
  ['a tag', (image: string) => image],
  ['another repository', () => `other/postgres@${digest('a')}`],
  ['half a digest', (image: string) => `${image.split(':')[0]}@sha256:${'a'.repeat(20)}`],
])('pin-images.sh changes nothing when an image has %s instead of a digest', (_, wrong) => {
  const before = `CONSOLE_HOST=console.example.com\nPOSTGRES_DIGEST=${digest('b')}\n`;
  const answer = (image: string) =>
    image === 'postgres:17' ? wrong(image) : `${image.split(':')[0]}@${digest('a')}`;
  const { status, stderr, written, text } = pin(answer, before);
  expect({ status, stderr, written, text }).toEqual({
    status: 1,
    stderr: expect.stringContaining('postgres:17 has no digest'),
    written: ['.env'],
    text: before,
  });
});
