import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { COMMUNITY, showCommunity, toastOf } from '../../../testing/show-community.ts';

const RESTORE = 'PATCH /api/super-admin/communities/{id}/restore';

test('an archived community is restored after a question', async () => {
  let isArchived = true;
  const { server } = await showCommunity({
    answers: {
      'GET /api/communities/{id}': () => ({ success: true, data: { ...COMMUNITY, is_archived: isArchived } }),
      [RESTORE]: () => {
        isArchived = false;
        return { success: true, data: { ...COMMUNITY, owes_shares: false } };
      },
    },
  });
  await page.getByRole('button', { name: 'Restore' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore community' });
  await expect.element(dialog).toHaveTextContent(`Restore ${COMMUNITY.name}?`);
  expect(server.sentTo(RESTORE)).toEqual([]);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect.element(toastOf('Community has been successfully restored.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Archive', exact: true })).toBeVisible();
  expect(server.sentTo(RESTORE).map(({ params }) => params)).toEqual([{ id: COMMUNITY.id }]);
});
