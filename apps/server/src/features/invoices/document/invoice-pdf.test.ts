import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPdf } from '../../../../../../tests/support/read-pdf.ts';
import { send } from '../../../../../../tests/support/send.ts';
import {
  createInvoicingWorld,
  type InvoicingWorld,
} from '../../../../../../tests/support/world/invoicing-world.ts';
import { usdt } from '../../../../../../tests/support/world/usdt.ts';

let world: InvoicingWorld;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  world = await createInvoicingWorld();
  for (const persona of ['super', 'staff'] as const) tokens[persona] = await world.signIn(persona);
});
afterAll(() => world.close());

const ask = (id: string, query: { language?: 'en' | 'ru' } = {}, as = 'super') =>
  send(world.app, 'GET /api/invoices/{id}/pdf', { params: { id }, query }, tokens[as]);
const textOf = async (id: string, query: { language?: 'en' | 'ru' } = {}) =>
  (await readPdf((await ask(id, query)).rawPayload)).join(' ');

test('an invoice is a file in the language of its trader, or the one that is asked for', async () => {
  const trader = await world.addTrader({ language: 'pl' });
  await world.addPositions(trader, '100', '60');
  await world.invoice();
  const [invoice] = await world.invoicesOf(trader.id);
  const id = invoice?.id as string;

  const answer = await ask(id);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="invoice-${id.slice(0, 8)}-pl.pdf"`,
  });
  const [page = ''] = await readPdf(answer.rawPayload);
  expect(page).toContain('Faktura');
  expect(page).toContain('80.00 USDT');
  expect(page).toContain('z 2 zamkniętych pozycji');
  const [row] = await world.owner<{ payment_address: string }>(
    'SELECT payment_address FROM invoice WHERE id = $1',
    [id],
  );
  expect(page).toContain(row?.payment_address);
  expect(await textOf(id, { language: 'ru' })).toContain('по 2 закрытым позициям');

  await world.pay(trader.id, usdt(80));
  const paid = await textOf(id, { language: 'en' });
  expect(paid).toContain('Status Paid');
  expect(paid).toContain('Received on chain 80.00 USDT');
  expect(paid).not.toContain(row?.payment_address);
});

test('an invoice of another provider is missing', async () => {
  const { providers } = (await send(world.app, 'GET /api/me', {}, tokens.staff)).json().data;
  const [foreign] = await world.owner<{ id: string }>(
    'SELECT id FROM invoice WHERE provider_id <> $1 LIMIT 1',
    [providers[0].id],
  );
  const answer = await ask(foreign?.id as string, {}, 'staff');
  expect([answer.statusCode, answer.json().error]).toEqual([404, 'not_found']);
});
