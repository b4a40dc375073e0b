import { expect, test } from '../support/test.ts';

test('all traders that match are given a status, which is undone in time, done, and put back', async ({
  page,
  api,
}) => {
  const { data: communities } = await api.call('GET /api/communities');
  const community = communities.find(({ is_archived }) => !is_archived)?.id ?? '';
  const { data: links } = await api.call('GET /api/communities/{id}/providers', {
    params: { id: community },
  });
  const link = links.find(({ is_active }) => is_active);
  const ids: string[] = [];
  const statuses = async () =>
    Promise.all(
      ids.map(async (id) => (await api.call('GET /api/traders/{id}', { params: { id } })).data.status),
    );
  try {
    for (const n of [1, 2, 3]) {
      const { data } = await api.call('POST /api/traders', {
        idempotencyKey: null,
        body: {
          community_id: community,
          selected_provider_id: link?.provider_id ?? '',
          name: `Bulk ${n}`,
          reference_number: `E2E-BULK-${n}`,
        },
      });
      ids.push(data.id);
    }
    const bar = page.getByRole('region', { name: 'Selection', exact: true });
    const dialog = page.getByRole('dialog');
    const order = async () => {
      await page.getByRole('checkbox', { name: 'Select Bulk 1' }).click();
      await bar.getByRole('button', { name: 'Select all 3 that match' }).click();
      await bar.getByRole('button', { name: 'Set status' }).click();
      await page.getByRole('menuitem', { name: 'Delinquent' }).click();
      // One is left out, and the figures follow.
      await dialog.getByRole('checkbox', { name: 'Include Bulk 2' }).click();
      await dialog.getByRole('button', { name: 'Set status Delinquent: 2 traders' }).click();
      await expect(dialog).toBeHidden();
    };
    await page.goto('/?tab=all&search=E2E-BULK');
    await order();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Nothing had been done yet.', { exact: true })).toBeVisible();
    expect(await statuses()).toEqual(['pending', 'pending', 'pending']);

    await order();
    await page.goto('/bulk-acts');
    const row = page.getByRole('table', { name: 'Your bulk acts, newest first' }).getByRole('row').nth(1);
    // A worker begins after ten seconds, and the page follows by events.
    await expect(row).toContainText('2 set to Delinquent', { timeout: 30_000 });
    expect((await statuses()).toSorted()).toEqual(['delinquent', 'delinquent', 'pending']);
    await row.getByRole('button', { name: /^Show traders/ }).click();
    await expect(dialog.getByRole('link', { name: 'Bulk 1' })).toBeVisible();
  } finally {
    for (const id of ids) await api.call('DELETE /api/traders/{id}', { params: { id } });
  }
});
