import { expectAccessible } from '../support/accessibility.ts';
import { withoutNews } from '../support/news.ts';
import { answerPool, answerPools, somePool } from '../support/pools.ts';
import { expect, test } from '../support/test.ts';

const ID = '00000000-0000-4000-8000-0000000000e1';
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test('what waits for another super admin is on the page of the pool, with its address and its reason', async ({
  page,
}) => {
  const one = somePool(0, 'harvesting');
  await withoutNews(page);
  await answerPools(page, [one]);
  await answerPool(page, one, { isSuper: true });
  const order = {
    id: ID,
    act: 'pool_withdrawals',
    state: 'awaiting_approval',
    needs: ['above_limit'],
    community: { id: one.community.id, name: one.community.name },
    pool_id: one.id,
    amount: '1250.5',
    lines: [{ subject_id: ID, label: 'KAIT-1042', to_address: ADDRESS, amount: '1250.5' }],
    facts: {},
    requested_by: 'first@demo.example',
    requested_at: '2026-01-20T10:00:00.000Z',
    decided_by: null,
    decided_at: null,
    is_own: false,
    refusal: null,
  };
  let waiting: object[] = [order];
  await page.route('**/api/orders?**', (route) =>
    route.fulfill({ json: { success: true, data: waiting, meta: { total: waiting.length } } }),
  );
  const sent: string[] = [];
  await page.route(`**/api/orders/${ID}/approve`, (route) => {
    sent.push(route.request().method());
    waiting = [];
    return route.fulfill({ json: { success: true, data: { id: ID, state: 'approved' } } });
  });
  await page.goto(`/pools/${one.id}`);
  const box = page.getByRole('region', { name: 'Waiting for approval' });
  await expect(box).toContainText(`1,250.50 USDT out of the pool of ${one.community.name} for KAIT-1042`);
  await expect(box).toContainText('requested by first@demo.example');
  await box.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve order' });
  await expect(dialog).toContainText(ADDRESS);
  await expect(dialog).toContainText('above what one person may order within 24 hours');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Approved').first()).toBeVisible();
  await expect(box).toHaveCount(0);
  expect(sent).toEqual(['POST']);
});

test('an own order can be withdrawn and not approved', async ({ page }) => {
  const one = somePool(0, 'harvesting');
  await withoutNews(page);
  await answerPools(page, [one]);
  await answerPool(page, one, { isSuper: true });
  await page.route('**/api/orders?**', (route) =>
    route.fulfill({
      json: {
        success: true,
        data: [
          {
            id: ID,
            act: 'pool_funding_address',
            state: 'awaiting_approval',
            needs: ['always'],
            community: { id: one.community.id, name: one.community.name },
            pool_id: one.id,
            amount: '0',
            lines: [{ subject_id: one.id, label: 'the pool', to_address: ADDRESS, amount: null }],
            facts: { present_address: 'none' },
            requested_by: 'super@demo.example',
            requested_at: '2026-01-20T10:00:00.000Z',
            decided_by: null,
            decided_at: null,
            is_own: true,
            refusal: 'Another super admin must approve your request',
          },
        ],
        meta: { total: 1 },
      },
    }),
  );
  await page.goto(`/pools/${one.id}`);
  const box = page.getByRole('region', { name: 'Waiting for approval' });
  await expect(box).toContainText(`Funding of the pool of ${one.community.name} to ${ADDRESS}`);
  await expect(box).toContainText('Another super admin must approve your request.');
  await expect(box.getByRole('button', { name: 'Approve' })).toHaveAttribute('aria-disabled', 'true');
  await box.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByRole('dialog', { name: 'Withdraw order' })).toContainText('Present address');
});
