import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { csvFile, sendCsv } from './csv.ts';

/** The cell of one value, as it is downloaded. */
async function cellOf(value: string | number | null): Promise<string> {
  const app = fastify();
  app.get('/', async (_request, reply) => {
    sendCsv(reply, Readable.from([{ value }]), { filename: 'x.csv', columns: { value: 'Value' } });
    return reply;
  });
  const { body } = await app.inject('/');
  await app.close();
  expect(body.startsWith('\ufeffValue\r\n')).toBe(true);
  return body.slice('\ufeffValue\r\n'.length, body.lastIndexOf('\r\n"End of file'));
}

test.each(['-12.5', '-0.000000000000000001', '12.5', '0', '-1'])(
  'the number %s stays one',
  async (number) => {
    expect(await cellOf(number)).toBe(number);
  },
);

test.each([-12.5, 3])('so does %d, not as text', async (number) => {
  expect(await cellOf(number)).toBe(String(number));
});

test.each([
  '=1+1',
  '=HYPERLINK("http://evil.example")',
  '+1+1',
  '-1+1',
  '-2+cmd|x',
  '--1',
  '@SUM(A1)',
  ' =1+1',
  '＝1+1',
  '－1+1',
  '-1e5',
  '+491234',
])('a formula is quoted and made text: %j', async (text) => {
  expect(await cellOf(text)).toBe(`"'${text.replaceAll('"', '""')}"`);
});

test.each([
  ['\t=1', `"'\t'=1"`],
  ['\r=1', `"'\r'=1"`],
  ['\n=1', `"'\n'=1"`],
  ['a;=1+1', `"a;'=1+1"`],
  ['a, "=1"', `"a,' ""=1"""`],
])('nor does one begin after a separator or a quote: %j', async (text, cell) => {
  expect(await cellOf(text)).toBe(cell);
});

test.each([
  ['Ada', 'Ada'],
  ['a=b', 'a=b'],
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z'],
  ['a, b', '"a, b"'],
  ['a; b', '"a; b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
])('other text is unchanged: %j', async (text, cell) => {
  expect(await cellOf(text)).toBe(cell);
});

test('nothing is an empty cell', async () => {
  expect(await cellOf(null)).toBe('');
});

/** The bytes of a file before its last line, and that line. */
function split(file: Buffer): [Buffer, string] {
  const end = file.lastIndexOf('\n', file.length - 2) + 1;
  return [file.subarray(0, end), file.subarray(end).toString()];
}
const COLUMNS = { value: 'Value' };

test.each([
  [0, '0 rows'],
  [1, '1 row'],
  [12_345, '12,345 rows'],
])('the last line of %d rows counts them, and has the hash of what is before', async (count, counted) => {
  const values = Array.from({ length: count }, (_, index) => `Zoë; ${index}`);
  const { bytes, rows } = csvFile(Readable.from(values.map((value) => ({ value }))), COLUMNS);
  const [before, line] = split(Buffer.concat(await bytes.toArray()));
  const hash = createHash('sha256').update(before).digest('hex');
  expect(line).toBe(`"End of file: ${counted}, SHA-256 of the bytes before this line ${hash}"\r\n`);
  expect(before.toString().split('\r\n')).toHaveLength(count + 2);
  expect(rows()).toBe(count);
});

test('a file that breaks off has no such line', async () => {
  const rows = Readable.from(
    (async function* () {
      yield { value: 'first' };
      throw new Error('the database has gone');
    })(),
  );
  const chunks: Buffer[] = [];
  const reading = async () => {
    for await (const chunk of csvFile(rows, COLUMNS).bytes) chunks.push(chunk);
  };
  await expect(reading()).rejects.toThrow('the database has gone');
  expect(Buffer.concat(chunks).toString()).not.toContain('End of file');
});
