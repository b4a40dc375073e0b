import { readFile } from 'node:fs/promises';
import { formatUsd, shortId } from '@copydesk/domain/money';
import { formatPnl } from '@copydesk/domain/trading';
import { readPdf } from '../../support/read-pdf.ts';
import { pickInvoice } from '../support/invoices-screen.ts';
import { expect, test } from '../support/test.ts';

const isOwed = ({ status, invoice_type }: { status: string; invoice_type: string }) =>
  status === 'pending' && invoice_type === 'regular';

test('why a trader owes this, from its page in one click, and as a paper in its language', async ({
  page,
  api,
}) => {
  // The newest of its trader is among those that its page lists.
  const owed = await pickInvoice(api, isOwed);
  const { data: trader } = await api.call('GET /api/traders/{id}', { params: { id: owed.trader_id } });
  const id = trader.invoices?.recent_invoices.find((each) => each.status === 'pending')?.id ?? owed.id;
  const { data: invoice } = await api.call('GET /api/invoices/{id}', { params: { id } });
  await page.goto(`/trader/${owed.trader_id}`);
  await page.getByRole('list', { name: 'Recent invoices' }).locator(`a[href="/invoices/${id}"]`).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Invoice ${shortId(id)}`);
  const made = page.getByRole('region', { name: 'How the amount is made' });
  if (invoice.basis.kind !== 'positions') throw new Error(invoice.basis.kind);
  await expect(made).toContainText(formatPnl(invoice.basis.profit));
  await expect(made).toContainText(formatUsd(invoice.basis.commission));
  await expect(made).toContainText(`Invoiced${formatUsd(invoice.amount)}`);
  const rows = page.getByRole('table', { name: 'Positions' }).getByRole('row');
  await expect(rows).toHaveCount(Math.min(25, invoice.basis.positions) + 1);

  await page.getByRole('button', { name: 'PDF' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Spanish' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`invoice-${id.slice(0, 8)}-es.pdf`);
  const [paper = ''] = await readPdf(await readFile(await download.path()));
  expect(paper).toContain('Factura');
  expect(paper.replaceAll(/\s/g, '')).toContain(invoice.payment_address);
});

test('what was booked of a trader, in a month and in a file', async ({ page, api }) => {
  // Of those whose invoices are in the books; another one is only imported.
  const { data: invoices } = await api.call('GET /api/invoices/admin/all', { query: { limit: '5000' } });
  const isBooked = async (owner_id: string) =>
    (
      await api.call('GET /api/statements/balances', { query: { owner_kind: 'trader', owner_id } })
    ).data.balances.some(({ account }) => account === 'receivable');
  let trader_id = '';
  for (const each of new Set(invoices.map((invoice) => invoice.trader_id))) {
    trader_id = each;
    if (await isBooked(each)) break;
  }
  const query = { owner_kind: 'trader', owner_id: trader_id } as const;
  const { data } = await api.call('GET /api/statements/balances', { query });
  await page.goto(`/trader/${trader_id}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Account statement' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Statement of ${data.owner}`);
  await expect(page.getByRole('list', { name: 'Balances' }).getByRole('listitem')).toHaveCount(
    data.balances.length,
  );
  await expect(page.getByRole('button', { name: /Owed on invoices/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  const movements = page.getByRole('table', { name: 'Movements' }).getByRole('row');
  const statement = await api.call('GET /api/statements', { query: { ...query, account: 'receivable' } });
  await expect(movements).toHaveCount(Math.min(50, statement.meta.total) + 1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const file = await readFile(await download.path(), 'utf8');
  expect(file).toContain(`End of file: ${statement.meta.total} row`);
  // Years ago nothing was booked.
  await page.getByRole('combobox', { name: 'Month (UTC)' }).selectOption({ index: 36 });
  await expect(page.getByText('Nothing was booked in this month')).toBeVisible();
});
