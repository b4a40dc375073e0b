import { expect, test } from '../support/test.ts';

const AT = '2026-11-22T14:05:00.000Z';
const reading = (over: object) => ({
  json: {
    success: true,
    data: {
      block_number: 100,
      updated_at: AT,
      stopped_because: null,
      late_seconds: null,
      needs_review: false,
      set_aside: [],
      set_aside_count: 0,
      ...over,
    },
  },
});
const READING = '**/api/super-admin/deposit-reading';

test('a stop of reading deposits says why, and is resumed with a reason', async ({ page }) => {
  let isStopped = true;
  const bodies: unknown[] = [];
  await page.route(READING, (route) =>
    route.fulfill(
      reading(isStopped ? { stopped_because: 'final block 99 has changed', needs_review: true } : {}),
    ),
  );
  await page.route(`${READING}/resume`, (route) => {
    bodies.push(route.request().postDataJSON());
    isStopped = false;
    return route.fulfill({ json: { success: true, data: { block_number: 100 } } });
  });
  await page.goto('/transaction-history');
  const notice = page.getByRole('status').filter({ hasText: 'Deposits are not being read' });
  await expect(notice).toContainText('Final block 99 has changed. Last read Nov 22, 14:05 UTC.');
  await notice.getByRole('button', { name: 'Resume' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resume reading deposits' });
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await expect(dialog).toContainText('Describe what you found');
  await dialog.getByLabel('What was found').fill('The deposits are the same');
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await expect(notice).toHaveCount(0);
  expect(bodies).toEqual([{ reason: 'The deposits are the same' }]);
});

test('reading that is late says how late, and why', async ({ page }) => {
  await page.route(READING, (route) => route.fulfill(reading({ late_seconds: 125 })));
  await page.goto('/transaction-history');
  const notice = page.getByRole('status').filter({ hasText: 'Deposits are read late' });
  await expect(notice).toContainText('The last block that was read is 2 min old');
});

test('a stop that ends without a person offers no Resume; deposits set aside are listed', async ({
  page,
}) => {
  const deposit = {
    id: '00000000-0000-4000-8000-0000000000f1',
    trader: { id: '00000000-0000-4000-8000-0000000000f2', reference_number: 'KAIT-77' },
    amount: '12.5',
    from_address: `0x${'11'.repeat(20)}`,
    transaction_hash: `0x${'ab'.repeat(32)}`,
    reason: 'cannot_be_booked',
    created_at: AT,
  };
  await page.route(READING, (route) =>
    route.fulfill(
      reading({ stopped_because: 'the node does not answer', set_aside: [deposit], set_aside_count: 3 }),
    ),
  );
  await page.goto('/transaction-history');
  await expect(page.getByText('The node does not answer.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resume' })).toHaveCount(0);
  const listed = page.getByRole('list', { name: 'Deposits set aside' }).getByRole('listitem');
  await expect(listed).toContainText('KAIT-77');
  await expect(listed).toContainText('12.50 USDT');
  await expect(listed).toContainText('The ledger rejected it');
  await expect(page.getByText('3 deposits were set aside')).toBeVisible();
});

test('an archived community is restored after a question', async ({ page, api }) => {
  const { data } = await api.call('GET /api/super-admin/communities', {
    query: { include_archived: 'true' },
  });
  const archived = data.find(({ is_archived }) => is_archived);
  await page.goto(`/community-settings/${archived?.id}`);
  await page.getByRole('button', { name: 'Restore' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore community' });
  await expect(dialog).toContainText(`Restore ${archived?.name}?`);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(
    page.locator('ol li').filter({ hasText: 'Community has been successfully restored.' }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Archive', exact: true })).toBeVisible();
  // Other tests look at the archived ones.
  await api.call('PATCH /api/super-admin/communities/{id}/archive', { params: { id: archived?.id ?? '' } });
});
