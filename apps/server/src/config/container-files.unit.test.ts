import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { variablesOf } from './child-environments.ts';

const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const COMPOSE = read('deploy/container/compose.yaml');
const SET_UP = read('docs/operations/set-up.md');
const SERVICES = COMPOSE.slice(COMPOSE.indexOf('\nservices:'), COMPOSE.indexOf('\nsecrets:'));

/** The lines of a service, or of a part that services share. */
function partOf(name: string): string {
  const [, lines] =
    new RegExp(`^( *)${name}:.*\\n((?:\\1 .*\\n|\\n| *#.*\\n)*)`, 'm').exec(COMPOSE)?.slice(1) ?? [];
  if (lines === undefined) throw new Error(`compose.yaml has no ${name}`);
  return lines;
}

const envFilesOf = (name: string) =>
  [...partOf(name).matchAll(/env\/([\w.]+\.env)\b/g)].map(([, file = '']) => file);

function environmentOf(name: string): Record<string, string> {
  const [, indent = '', lines = ''] = /^( *)environment:\n((?:\1 .*\n)*)/m.exec(partOf(name)) ?? [];
  expect(indent).not.toBe('');
  return Object.fromEntries(
    [...lines.matchAll(/^ *([A-Z_]+): (.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
  );
}

test('a service reads the secrets of its own program, from files that the set-up names', () => {
  expect(envFilesOf('x-api')).toEqual(['settings.env', 'keys.env', 'api.keys.env']);
  expect(envFilesOf('worker')).toEqual(['settings.env', 'keys.env', 'worker.keys.env', 'worker.env']);
  expect(envFilesOf('tools')).toEqual([
    'settings.env',
    'keys.env',
    'api.keys.env',
    'owner.env',
    'worker.env',
  ]);
  const made = [...read('apps/server/src/bin/keys.ts').matchAll(/\['([\w.]+\.env)'/g)].map(
    ([, name]) => name,
  );
  const written = [...SET_UP.matchAll(/`env\/([\w.]+\.env)`/g)].map(([, name]) => name);
  for (const file of ['x-api', 'worker', 'tools'].flatMap(envFilesOf))
    expect([...made, ...written]).toContain(file);
  const [, secret = ''] = /postgres: \{ file: (\S+) \}/.exec(COMPOSE) ?? [];
  expect(SET_UP).toContain(`> ${secret}\n`);
});

test('the compose file sets variables that the program reads', () => {
  const unread = (name: string, program: 'API' | 'worker') =>
    Object.keys(environmentOf(name)).filter((key) => ![...variablesOf(program), 'DRAIN_MS'].includes(key));
  expect(unread('x-api', 'API')).toEqual([]);
  expect(unread('worker', 'worker')).toEqual([]);
  const apis = [...SERVICES.matchAll(/^ {2}(api-\d+):/gm)].map(([, name]) => name);
  const { PORT, API_PROCESSES, METRICS_PORT } = environmentOf('x-api');
  expect(Number(API_PROCESSES)).toBe(apis.length);
  expect(environmentOf('proxy').COPYDESK_APIS).toBe(apis.map((name) => `${name}:${PORT}`).join(' '));
  const targets = [...read('deploy/container/prometheus.yml').matchAll(/"([\w-]+:\d+)"/g)].map(
    ([, to]) => to,
  );
  const { WORKER_METRICS_PORT } = environmentOf('worker');
  expect(targets).toEqual([
    ...apis.map((name) => `${name}:${METRICS_PORT}`),
    `worker:${WORKER_METRICS_PORT}`,
  ]);
});

test('files that containers mount, and folders that the image copies, exist', () => {
  const mounted = [...COMPOSE.matchAll(/"(\.\.?\/[^:"]+):/g)].map(([, path = '']) => path);
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
  expect(files.filter(isLeftOut)).toEqual(['deploy/container/env/.gitignore']);
  const secret = ['env/settings.env', 'env/worker.keys.env', 'backups/copydesk-1/database.dump', '.env'];
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
  const names = [...SERVICES.matchAll(/^ {2}([\w-]+):/gm)].map(([, name]) => name);
  for (const document of ['set-up', 'upgrading', 'backup']) {
    const text = read(`docs/operations/${document}.md`);
    const used = [...text.matchAll(/docker compose (?:run --rm|up -d --no-deps --wait|logs) ([a-z][\w-]*)/g)];
    expect(used.length).toBeGreaterThan(0);
    for (const [, name] of used) expect(names).toContain(name);
  }
});
