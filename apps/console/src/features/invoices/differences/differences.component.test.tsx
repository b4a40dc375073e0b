import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { showInvoices } from '../../../testing/show-invoices.ts';
import { idOf } from '../../../testing/show-screen.tsx';
import type { Deduction, Difference } from './differences-query.ts';

const DEDUCT = 'POST /api/invoices/differences/deduct';
const AT = '2026-01-02T10:00:00.000Z';
const TRADER: Difference['trader'] = {
  id: idOf(1),
  name: null,
  telegram_username: 'late_trader',
  reference_number: 'KAIT-1',
  community: { id: idOf(2), name: 'Northern Lights Trading Circle' },
};
const CORRECTED: Difference = {
  kind: 'corrected_close',
  id: idOf(3),
  seen: '40',
  found_at: AT,
  trader: TRADER,
  provider_name: 'Meridian Capital',
  exchange: 'bybit',
  acc_uid: '1000001',
  symbol: 'SOLUSDT',
  invoice_id: idOf(4),
  other_invoice_id: null,
  invoiced_profit: '100',
  reported_profit: '40',
  amount: '30',
  deducted: null,
  unread: null,
};
const DEDUCTED: Deduction = {
  id: idOf(5),
  trader: TRADER,
  provider_name: CORRECTED.provider_name,
  invoice_id: idOf(4),
  symbol: 'SOLUSDT',
  amount: '30',
  used: '0',
  left: '30',
  decided_by: 'super@demo.example',
  decided_at: AT,
};

test('what an exchange corrected of an invoice is deducted, and listed as an open deduction', async () => {
  let differences = [CORRECTED];
  const listed = <T,>(data: T[]) => ({ success: true as const, data, meta: { total: data.length } });
  const { server } = await showInvoices({
    answers: {
      'GET /api/invoices/differences': () => listed(differences),
      'GET /api/invoices/deductions': () => listed(differences.length > 0 ? [] : [DEDUCTED]),
      [DEDUCT]: ({ body }): CallAnswer<typeof DEDUCT> => {
        differences = [];
        return { success: true, data: { kind: body.kind, id: body.id, amount: '30' } };
      },
    },
  });
  await page.getByRole('button', { name: 'Show differences' }).click();
  const dialog = page.getByRole('dialog', { name: 'Differences between invoices and exchanges' });
  await dialog.getByRole('button', { name: 'Deduct' }).click();
  await page
    .getByRole('dialog', { name: /^Deduct/ })
    .getByRole('button', { name: /^Deduct/ })
    .click();
  await expect.element(dialog).toHaveTextContent('No differences');
  expect(server.sentTo(DEDUCT)).toMatchObject([
    { body: { kind: 'corrected_close', id: CORRECTED.id, seen: '40' }, key: expect.any(String) },
  ]);
  const row = dialog.getByRole('table', { name: 'Deductions, latest first' }).getByRole('row').nth(1);
  await expect.element(row).toHaveTextContent('SOLUSDT');
  const decided = row.getByRole('cell').first().element().querySelector('span') as HTMLElement;
  expect(decided.textContent).toContain('by super@demo.example');
  expect(decided.scrollWidth - decided.clientWidth).toBe(0);
  await expectAccessible();
  await page.viewport(390, 844);
  const cards = dialog.getByRole('list', { name: 'Deductions, latest first' });
  await expect.element(cards).toHaveTextContent('by super@demo.example');
  expect(cards.element().scrollWidth - cards.element().clientWidth).toBe(0);
});
