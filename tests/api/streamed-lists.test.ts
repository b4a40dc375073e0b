import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROWS_PER_PART } from '../../apps/server/src/platform/db/lists/list-page.ts';
import { asOwner } from '../support/owner.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

/** Lists of up to 10,000 rows, which leave in parts. */
const LISTS = [
  '/api/traders?include_aum=true&include_exchanges=true',
  '/api/invoices/admin/all?',
  '/api/invoices/admin/groups?',
  '/api/sweep-operations/admin/all?',
];
/** Answers shorter than this leave as one text. */
const STREAMED_FROM_BYTES = 500_000;
const SOCKET_READ_BYTES = 65_536;

interface Page {
  data: unknown[];
  meta: { next_cursor: string | null };
}

let product: TestApp;
let token: string;
beforeAll(async () => {
  product = await createTestApp({ scale: 1 });
  token = await product.signIn('super');
  // Characters of two to four bytes: lengths of texts are not those of what is sent.
  await asOwner(product.ownerUrl, `UPDATE trader SET name = 'Zoë 王 🚀 ' || deposit_index`);
});
afterAll(() => product.close());

async function read(url: string, encoding = 'identity'): Promise<Buffer> {
  const answer = await product.app.inject({
    url,
    headers: { authorization: token, 'accept-encoding': encoding },
  });
  expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200);
  expect(answer.headers['content-encoding'] ?? 'identity').toBe(encoding);
  return answer.rawPayload;
}

async function readByPage(list: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = JSON.parse(
      String(await read(`${list}&limit=${ROWS_PER_PART}${cursor && `&cursor=${cursor}`}`)),
    );
    rows.push(...page.data);
    cursor = page.meta.next_cursor;
  }
  return rows;
}

test.each(LISTS)('%s: a long answer is all of its pages, compressed or not', async (list) => {
  const plain = await read(`${list}&limit=10000`);
  expect(JSON.parse(String(plain)).data).toEqual(await readByPage(list));
  const compressed = gunzipSync(await read(`${list}&limit=10000`, 'gzip'));
  expect(JSON.parse(String(compressed)).data).toEqual(JSON.parse(String(plain)).data);
});

test('some of these answers are long enough to leave in parts', async () => {
  const lengths = await Promise.all(LISTS.map(async (list) => (await read(`${list}&limit=10000`)).length));
  expect(lengths.filter((length) => length > STREAMED_FROM_BYTES).length).toBeGreaterThanOrEqual(2);
});

test.each(LISTS)('%s: a part fits into one read of a socket', async (list) => {
  const part = await read(`${list}&limit=${ROWS_PER_PART}`);
  expect(part.length).toBeLessThan(SOCKET_READ_BYTES);
});
