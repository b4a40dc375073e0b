import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMPOSE, type ComposeService } from '../../../../tests/support/compose-file.ts';
import { variablesOf } from './child-environments.ts';

const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const SET_UP = read('docs/operations/set-up.md');
const { services } = COMPOSE;
const APIS = Object.keys(services).filter((name) => name.startsWith('api-'));

const serviceOf = (name: string): ComposeService => {
  const service = services[name];
  if (!service) throw new Error(`compose.yaml has no ${name}`);
  return service;
};
const envFilesOf = (name: string) =>
  serviceOf(name).env_file?.map((file) => basename(typeof file === 'string' ? file : file.path)) ?? [];
const environmentOf = (name: string) => serviceOf(name).environment ?? {};

test('a service reads the secrets of its own program, from files that the set-up names', () => {
  for (const api of APIS) expect(envFilesOf(api)).toEqual(['settings.env', 'keys.env', 'api.keys.env']);
  expect(envFilesOf('worker')).toEqual(['settings.env', 'keys.env', 'worker.keys.env', 'worker.env']);
  expect(envFilesOf('tools')).toEqual([
    'settings.env',
    'keys.env',
    'api.keys.env',
    'owner.env',
    'worker.env',
    'operator.env',
  ]);
  const made = [...read('apps/server/src/bin/keys.ts').matchAll(/\['([\w.]+\.env)'/g)].map(
    ([, name]) => name,
  );
  const written = [...SET_UP.matchAll(/`env\/([\w.]+\.env)`/g)].map(([, name]) => name);
  for (const file of [...APIS, 'worker', 'tools'].flatMap(envFilesOf))
    expect([...made, ...written]).toContain(file);
  expect(SET_UP).toContain(`> ${COMPOSE.secrets.postgres?.file}\n`);
});

test('the compose file sets variables that the program reads', () => {
  const unread = (name: string, program: 'API' | 'worker') =>
    Object.keys(environmentOf(name)).filter((key) => ![...variablesOf(program), 'DRAIN_MS'].includes(key));
  for (const api of APIS) expect(unread(api, 'API')).toEqual([]);
  expect(unread('worker', 'worker')).toEqual([]);
  const { PORT, API_PROCESSES, METRICS_PORT } = environmentOf('api-1');
  expect(Number(API_PROCESSES)).toBe(APIS.length);
  expect(environmentOf('proxy').COPYDESK_APIS).toBe(APIS.map((name) => `${name}:${PORT}`).join(' '));
  const targets = [...read('deploy/container/prometheus.yml').matchAll(/"([\w-]+:\d+)"/g)].map(
    ([, to]) => to,
  );
  const { WORKER_METRICS_PORT } = environmentOf('worker');
  expect(targets).toEqual([
    ...APIS.map((name) => `${name}:${METRICS_PORT}`),
    `worker:${WORKER_METRICS_PORT}`,
  ]);
});

test('files that containers mount, and folders that the image copies, exist', () => {
  const mounted = Object.values(services)
    .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
    .filter((path) => path.startsWith('.'));
  expect(mounted).toContain('./pg_hba.conf');
  const missing = mounted.filter((path) => !existsSync(new URL(path, new URL('deploy/container/', root))));
  expect(missing.filter((path) => path !== './backups')).toEqual([]);
  expect(SET_UP).toMatch(/^install -d -o 10003 .*backups$/m);

  const copies = [...read('deploy/container/Dockerfile').matchAll(/^COPY --from=build (.+) \S+$/gm)];
  const copied = copies
    .flatMap(([, from = '']) => from.split(' '))
    .map((from) => from.slice('/opt/copydesk/'.length));
  const made = ['node_modules', 'apps/console/dist'];
  expect(copied.filter((path) => !made.includes(path) && !existsSync(new URL(path, root)))).toEqual([]);
  expect(copied).toEqual(expect.arrayContaining([...made, 'bin', 'packages', 'apps/server']));
});

/** Whether .dockerignore leaves a path out, for the patterns that we use. */
function isLeftOut(path: string): boolean {
  const patterns = read('.dockerignore').trim().split('\n');
  return patterns.some((pattern) => {
    const source = pattern
      .replaceAll('.', '\\.')
      .replace(/^\*\*\//, '(.*/)?')
      .replaceAll(/(?<![.)])\*/g, '[^/]*');
    return new RegExp(`^${source}(/|$)`).test(path);
  });
}

test('an image is built from every file of the repository, without secrets and what tests leave', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: fileURLToPath(root), encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(files.filter(isLeftOut)).toEqual([
    'deploy/container/env/.gitignore',
    'deploy/container/tls/.gitignore',
  ]);
  const secret = [
    'env/settings.env',
    'env/worker.keys.env',
    'tls/database.key',
    'backups/copydesk-1/database.dump',
    '.env',
  ];
  const local = [
    ...secret.map((path) => `deploy/container/${path}`),
    '.git/config',
    '.data/secrets/audit-key',
    '.data.broken-1/secrets/audit-key',
    'node_modules/pg/package.json',
    'apps/server/node_modules/undici/package.json',
    'tests/e2e/results/trace.zip',
    'test-results/trace.zip',
  ];
  expect(local.filter((path) => !isLeftOut(path))).toEqual([]);
});

test('the documents use services of the compose file', () => {
  const names = Object.keys(services);
  for (const document of ['set-up', 'upgrading', 'backup']) {
    const text = read(`docs/operations/${document}.md`);
    const used = [...text.matchAll(/docker compose (?:run --rm|up -d --no-deps --wait|logs) ([a-z][\w-]*)/g)];
    expect(used.length).toBeGreaterThan(0);
    for (const [, name] of used) expect(names).toContain(name);
  }
});
