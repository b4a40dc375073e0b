import { Readable } from 'node:stream';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { sendCsv } from './csv.ts';

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
  return body.slice('\ufeffValue\r\n'.length, -'\r\n'.length);
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
