import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SETTING_NAMES } from '@copydesk/domain/settings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../apps/server/src/platform/process/free-port.ts';
import { applicationUrlOf, workerUrlOf } from '../support/application-url.ts';
import { COMPILE_CACHE } from '../support/compile-cache.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { askAdmin } from '../support/run-admin.ts';
import { AUDIT_KEY_TEXT } from '../support/test-keys.ts';
import { UNREACHABLE_EXCHANGES } from '../support/unreachable-exchanges.ts';
import { until } from '../support/until.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const RULES = read('deploy/observability/alerts.yml');
const DASHBOARD = read('deploy/observability/dashboard.json');
const RUNBOOKS = read('docs/operations/runbooks.md');

let database: TestDatabase;
let scrapes: { api: string; worker: string };
beforeAll(async () => {
  database = await createTestDatabase();
  scrapes = { api: await scrape('api'), worker: await scrape('worker') };
});
afterAll(() => database?.drop());

/** What a running process of its own shows on the port of its metrics, besides what its /health and /ready say. */
async function scrape(name: 'api' | 'worker'): Promise<string> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL(`apps/server/src/bin/${name}.ts`, root))], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...COMPILE_CACHE,
      ...UNREACHABLE_EXCHANGES,
      DATABASE_URL: await (name === 'api' ? applicationUrlOf : workerUrlOf)(database.ownerUrl),
      DATABASE_DURABILITY: 'single',
      AUDIT_KEY: AUDIT_KEY_TEXT,
      BETTER_AUTH_SECRET: 'an identity secret for these tests alone',
      CREDENTIALS_KEY: 'a master key for these tests and no others',
      CREDENTIALS_INDEX_KEY: 'an index key for these tests and no others',
      LOG_LEVEL: 'fatal',
      PORT: '0',
      // Both, as in an environment that both share.
      METRICS_PORT: name === 'api' ? String(port) : '1',
      WORKER_METRICS_PORT: name === 'worker' ? String(port) : '1',
    },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = `http://127.0.0.1:${port}`;
    const get = (path: string) => fetch(`${url}${path}`).catch(() => null);
    await until(async () => (await get('/metrics')) !== null);
    expect([(await get('/health'))?.status, (await get('/ready'))?.status]).toEqual([200, 200]);
    return (await (await fetch(`${url}/metrics`)).text()) as string;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The names of all series of a scrape, those of histograms by their parts. */
function seriesOf(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
}

const metricsIn = (text: string) => new Set(text.match(/\b(copydesk|process|nodejs)_[a-z0-9_]+/g) ?? []);
const expressionsOf = (dashboard: string): string =>
  (JSON.parse(dashboard).panels as { targets?: { expr: string }[] }[])
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .join('\n');

test.each([
  ['alerts', () => RULES],
  ['dashboard', () => expressionsOf(DASHBOARD)],
])('each metric of the %s is one of a running API or worker', (_, text) => {
  const known = new Set([...seriesOf(scrapes.api), ...seriesOf(scrapes.worker)]);
  const used = metricsIn(text());
  expect(used.size).toBeGreaterThan(20);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
});

test('each metric of ours is on the dashboard', () => {
  const shown = expressionsOf(DASHBOARD);
  const names = [scrapes.api, scrapes.worker].flatMap((text) =>
    [...text.matchAll(/^# TYPE (copydesk_\S+)/gm)].map(([, name = '']) => name),
  );
  expect([...new Set(names)].filter((name) => !shown.includes(name))).toEqual([]);
});

test('figures of the installation are shown by both processes, and never added up over them', () => {
  const figures = seriesOf(scrapes.worker).filter(
    (name) =>
      /^copydesk_(?!turn|job|chain_lag|db_|exchange_)/.test(name) && seriesOf(scrapes.api).includes(name),
  );
  expect(figures.length).toBeGreaterThan(25);
  for (const expression of [...RULES.split('\n'), ...expressionsOf(DASHBOARD).split('\n')])
    for (const name of metricsIn(expression))
      if (figures.includes(name))
        expect(expression).toMatch(new RegExp(`(max|min|delta|absent)[^=]*\\(\\s*${name}`));
});

const promtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const inFolder = (...args: string[]) =>
  execFileSync('promtool', args, {
    cwd: fileURLToPath(new URL('deploy/observability', root)),
    stdio: 'pipe',
  }).toString();

test.skipIf(!promtool)('promtool accepts the configuration and the alerts, and their tests pass', () => {
  expect(inFolder('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
  expect(inFolder('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
});

test('each alert has its runbook, and each runbook its alert', () => {
  const alerts = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(new Set(alerts).size).toBe(alerts.length);
  const links = [...RULES.matchAll(/runbook_url: (\S+)/g)].map(([, link]) => link);
  expect(links).toEqual(alerts.map((name) => `docs/operations/runbooks.md#${name.toLowerCase()}`));
  const parts = RUNBOOKS.split(/^## /m).slice(1);
  expect(parts.map((part) => part.split('\n', 1)[0])).toEqual(expect.arrayContaining(alerts));
  expect(parts).toHaveLength(alerts.length);
  for (const part of parts) {
    for (const word of ['**Means.**', '**Look.**', '**Do.**', '**May ']) expect(part).toContain(word);
    for (const [, anchor] of part.matchAll(/\]\(#(\w+)\)/g))
      expect(alerts.map((name) => name.toLowerCase())).toContain(anchor);
  }
});

test('each command, variable and line of the log in the runbooks exists', async () => {
  const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
  const { output: usage } = await askAdmin({});
  for (const [, script = '', command] of RUNBOOKS.matchAll(/`npm run ([\w:-]+)(?: -- ([\w-]+))?[^`]*`/g)) {
    expect(scripts).toContain(script);
    if (script === 'admin') expect(usage).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  }
  for (const [, setting] of RUNBOOKS.matchAll(/approve-setting --name (\w+)/g))
    expect(SETTING_NAMES).toContain(setting);
  const config = read('docs/operations/configuration.md') + read('apps/server/src/config.ts');
  for (const [, name] of RUNBOOKS.matchAll(/`([A-Z]{3,}_[A-Z_]+)`/g)) expect(config).toContain(name);
  const known = new Set(
    [...seriesOf(scrapes.api), ...seriesOf(scrapes.worker)].map((name) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    ),
  );
  expect([...metricsIn(RUNBOOKS)].filter((name) => !known.has(name))).toEqual([]);
  expect(existsSync(new URL('deploy/observability/alerts.yml', root))).toBe(true);

  // Lines are quoted with blanks in them; words of the log without are codes and names.
  const sources = execFileSync(
    'git',
    ['grep', '-h', '-E', "'[a-z].*'", '--', 'apps/server/src', 'packages/domain/src'],
    {
      cwd: fileURLToPath(root),
      maxBuffer: 64e6,
    },
  ).toString();
  const quoted = [...RUNBOOKS.matchAll(/`([a-z][a-z;' ]+ [a-z;' ]+)`/g)].map(([, line = '']) => line);
  const lines = quoted.filter((line) => !line.startsWith('curl') && !line.startsWith('npm'));
  expect(lines.length).toBeGreaterThan(12);
  expect(lines.filter((line) => !sources.includes(line))).toEqual([]);
});
