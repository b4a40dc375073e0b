import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { mountSmallDisk } from '../../../../../tests/support/small-disk.ts';

const here = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));

/** A server that logs for some time, and writes its memory in bytes to standard error. */
const loggingFor = (ms: number) => `
  import { createLog } from ${here('./log.ts')};
  import { onShutdown } from ${here('../process/start-process.ts')};
  const log = createLog('info', 'test');
  onShutdown(log, async () => {});
  const logging = setInterval(() => { for (let n = 0; n < 500; n++) log.info({ text: 'x'.repeat(500) }, 'a line'); }, 10);
  setTimeout(() => clearInterval(logging), ${ms});
  setInterval(() => console.error(process.pid + ' ' + process.memoryUsage.rss()), 250);
  console.error(process.pid + ' 0');`;

/** Runs it with its log into a program. */
const startInto = (reader: string, loggingMs: number) => start(`| ${reader}`, loggingMs);

/** Runs it with its log wherever the shell puts it. */
function start(redirection: string, loggingMs: number) {
  const command = `"$NODE" --no-warnings --input-type=module-typescript -e "$LOGGING" ${redirection}`;
  const shell = spawn('sh', ['-c', command], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', NODE: process.execPath, LOGGING: loggingFor(loggingMs) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => {
    if (shell.pid && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL');
  });
  let said = '';
  shell.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const rows = () =>
    said
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
  return { shell, rows, pid: () => rows()[0]?.[0] ?? 0 };
}

/** A process that has ended stays a zombie until its shell, which waits for the reader first, collects it. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}/status`) && /^State:\s+[^ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

test('a program that does not read the log holds up neither the work nor the end of a server', {
  timeout: 60_000,
}, async () => {
  const { rows, pid } = startInto('sleep 60', 60_000);
  // By now it has noticed that nothing reads its output, and works on.
  await expect.poll(() => rows().length, { timeout: 40_000 }).toBeGreaterThan(30);
  const memory = rows().map(([, bytes]) => bytes ?? 0);
  expect(Math.max(...memory)).toBeLessThan(400_000_000);
  process.kill(pid(), 'SIGTERM');
  await expect.poll(() => isRunning(pid()), { timeout: 10_000 }).toBe(false);
});

test('a program that has ended does not hold up the end of a server whose first line since then is its last', {
  timeout: 30_000,
}, async () => {
  const { rows, pid } = startInto('true', 0);
  await expect.poll(() => rows().length, { timeout: 20_000 }).toBeGreaterThan(3);
  process.kill(pid(), 'SIGTERM');
  await expect.poll(() => isRunning(pid()), { timeout: 5_000 }).toBe(false);
});

test('lines that were gathered are written at the end, and dropped ones are counted', {
  timeout: 60_000,
}, async () => {
  const { shell, rows, pid } = startInto('(sleep 4; cat)', 3_000);
  let text = '';
  shell.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await expect.poll(() => text.includes('were dropped'), { timeout: 40_000 }).toBe(true);
  expect(rows().length).toBeGreaterThan(8);
  process.kill(pid(), 'SIGTERM');
  await once(shell, 'close');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.find(({ msg }) => msg.includes('were dropped')).lines).toBeGreaterThan(0);
  expect(lines.at(-1).msg).toMatch(/a line|shutting down/);
  expect(lines.some(({ msg }) => msg === 'shutting down')).toBe(true);
});

/** The lines of a log; null for one that is not whole. */
const parse = (text: string): ({ msg: string; lines?: number; code?: string } | null)[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      try {
        return JSON.parse(line);
      } catch {
        return null;
      }
    });

test('lines come again once a full disk has room, after one that says how many were lost', {
  timeout: 90_000,
}, async (context) => {
  const disk = mountSmallDisk();
  if (disk === null) return context.skip('a small disk cannot be mounted');
  const log = join(disk.folder, 'log');
  disk.fill();
  const { rows, pid } = start(`>> ${log}`, 3_000);
  // It works on for longer than the log has room for in memory.
  await expect.poll(() => rows().length, { timeout: 40_000 }).toBeGreaterThan(25);
  expect(parse(readFileSync(log, 'utf8')).filter((line) => line?.msg.includes('could not be'))).toEqual([]);
  disk.empty();
  const lost = () =>
    parse(readFileSync(log, 'utf8')).find((line) => line?.msg.includes('could not be written'));
  await expect.poll(lost, { timeout: 20_000 }).toMatchObject({ code: 'ENOSPC', lines: expect.any(Number) });
  expect(lost()?.lines).toBeGreaterThan(0);
  process.kill(pid(), 'SIGTERM');
  await expect.poll(() => isRunning(pid()), { timeout: 10_000 }).toBe(false);
  const lines = parse(readFileSync(log, 'utf8'));
  expect(lines.filter((line) => line === null)).toEqual([]);
  expect(lines.at(-1)?.msg).toBe('shutting down');
});

test('lines come again to the next reader of a pipe whose reader has ended', {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'copydesk-pipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pipe = join(folder, 'log');
  execFileSync('mkfifo', [pipe]);
  const first = spawn('head', ['-n', '1', pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  const { rows, pid } = start(`> ${pipe}`, 5_000);
  await once(first, 'close');
  const noticed = rows().length + 4;
  await expect.poll(() => rows().length, { timeout: 20_000 }).toBeGreaterThan(noticed);
  const second = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  second.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await expect.poll(() => text, { timeout: 20_000 }).toContain('"code":"EPIPE"');
  // Until the flood has passed: its last lines find no room, and neither would that of the end.
  await expect.poll(() => rows().length, { timeout: 20_000 }).toBeGreaterThan(28);
  process.kill(pid(), 'SIGTERM');
  await once(second, 'close');
  // What a thread was writing at the end may come after it.
  expect(parse(text).map((line) => line?.msg)).toContain('shutting down');
});
