import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocuments } from './create-documents.ts';
import type { Documents } from './gateway.ts';

const TEMPLATES = {
  good: '#json(bytes(sys.inputs.data)).text',
  // The compiler itself ends a simple loop.
  endless: '#let n = 0\n#for i in range(100000) { for j in range(100000) { n += 1 } }',
  greedy: '#let a = ("x",)\n#for i in range(40) { a = a + a }',
  imports: '#import "@preview/tablex:0.0.8": *',
  outside: '#read("../../etc/hostname")',
  fonts: '#set text(font: ("DejaVu Serif", "Liberation Sans", "Noto Sans"))\nx 漢',
};
let folder: string;
let documents: Documents;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'copydesk-templates-'));
  for (const [name, text] of Object.entries(TEMPLATES)) writeFileSync(join(folder, `${name}.typ`), text);
  documents = createDocuments({ folder, timeLimitMs: 1_500 });
});
afterAll(async () => {
  await documents.close();
  rmSync(folder, { recursive: true });
});

const isPdf = (bytes: Buffer) => bytes.subarray(0, 5).toString() === '%PDF-';
const good = async (from = documents) => isPdf(await from.write('good', { text: 'x' }));

test('the same data give the same bytes, and other data others', async () => {
  const [one, same, other] = await Promise.all(
    ['x', 'x', 'y'].map((text) => documents.write('good', { text })),
  );
  expect(isPdf(one as Buffer)).toBe(true);
  expect(one?.equals(same as Buffer)).toBe(true);
  expect(one?.equals(other as Buffer)).toBe(false);
});

test.each([
  ['endless', 'longer than 1.5 s'],
  ['greedy', 'SIGKILL'],
  ['outside', 'denied'],
  ['missing', 'not found'],
])('a document that is %s costs itself alone: %s', async (template, said) => {
  const [bad, next] = await Promise.allSettled([documents.write(template, {}), good()]);
  expect(bad).toMatchObject({ reason: { problem: 'failed', message: expect.stringContaining(said) } });
  expect(next).toMatchObject({ value: true });
});

test('more documents than may wait are refused, and the others are written', async () => {
  const small = createDocuments({ folder, mostWaiting: 2 });
  const asked = await Promise.allSettled([1, 2, 3, 4].map(() => good(small)));
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(asked.at(-1)).toMatchObject({ reason: { problem: 'busy' } });
  await small.close();
});

test('without requests the process ends, and the next document starts another one', async () => {
  const short = createDocuments({ folder, idleMs: 1 });
  for (let n = 0; n < 3; n++) {
    expect(await good(short)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await short.close();
  await expect(short.write('good', {})).rejects.toMatchObject({ problem: 'busy' });
});

test('what waits fails when the API ends', async () => {
  const ending = createDocuments({ folder });
  const asked = Promise.allSettled([ending.write('endless', {}), good(ending)]);
  await ending.close();
  for (const one of await asked) expect(one).toMatchObject({ reason: { problem: 'failed' } });
});

test('no package is loaded: what the template names goes to a proxy that does not exist', async () => {
  await expect(documents.write('imports', {})).rejects.toThrow('failed to download package');
  // The control: with a proxy that listens, the compiler does ask.
  const asked: string[] = [];
  const proxy = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      asked.push(data.toString().split('\r\n')[0] ?? '');
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  const curious = createDocuments({ folder, environment: { HTTPS_PROXY: `http://127.0.0.1:${port}` } });
  await expect(curious.write('imports', {})).rejects.toThrow('failed to download package');
  expect(asked).toContain('CONNECT packages.typst.org:443 HTTP/1.1');
  await curious.close();
  proxy.close();
});

test('fonts of the machine are not used', async () => {
  const names = (await documents.write('fonts', {})).toString('latin1').match(/BaseFont \/\S+/g) ?? [];
  expect(names.join()).toContain('NotoSans');
  expect(names.join()).not.toMatch(/DejaVuSerif|DejaVuSans-|Liberation/);
});

test.runIf(process.platform === 'linux')('the process has no variable of ours', async () => {
  const named = createDocuments({ folder });
  await good(named);
  const environments = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => isOurs(readProcess(pid, 'cmdline')))
    .map((pid) => readProcess(pid, 'environ'));
  expect(environments.length).toBeGreaterThan(0);
  for (const environment of environments)
    expect(new Set(environment.split('\0').flatMap((line) => line.split('=')[0] || []))).toEqual(
      new Set([
        ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME'],
        ...['FONTCONFIG_FILE', 'NODE_PATH', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'],
        ...['NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_CHANNEL_FD'],
      ]),
    );
  await named.close();
});

const isOurs = (command: string) => command.includes('document-process') && command.includes(folder);

function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
