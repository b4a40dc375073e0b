import { expect, FAILED_REQUEST, test } from '../support/test.ts';
import { traderDetail } from '../support/trader-detail.ts';
import { pickTrader } from '../support/traders-list.ts';

// A number of another trader.
test.use({ expectedComplaint: FAILED_REQUEST });

test('a trader is added, opens, is edited, and the list finds it by its new name', async ({ page, api }) => {
  const known = await pickTrader(api, { tab: 'connected' });
  const { data: links } = await api.call('GET /api/communities/{id}/providers', {
    params: { id: known.community_id },
  });
  const provider = links.find(({ provider_id }) => provider_id === known.selected_provider_id);
  const { title, user, dialog } = traderDetail(page);
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
  let id: string | undefined;
  await page.goto('/');
  await page.getByRole('button', { name: 'New trader' }).click();
  await dialog.getByRole('combobox', { name: 'Community' }).selectOption(known.community_id);
  await dialog.getByRole('combobox', { name: 'Provider' }).selectOption(provider?.display_name ?? '');
  await field('Name').fill('Анна Новикова');
  await field('Telegram ID').fill('9000000000001');
  await dialog.getByRole('combobox', { name: 'Language' }).selectOption('ru');
  // Taken, said at its field; then one of its own.
  await field('Reference number').fill(known.reference_number);
  await dialog.getByRole('button', { name: 'Create trader' }).click();
  await expect(field('Reference number')).toHaveAccessibleDescription(
    'This reference number belongs to another trader',
  );
  await field('Reference number').fill('KAIT-NEW-E2E');
  try {
    await dialog.getByRole('button', { name: 'Create trader' }).click();
    await expect(title).toHaveText('Анна Новикова');
    id = new URL(page.url()).pathname.split('/').at(-1);
    await expect(page.getByText('KAIT number KAIT-NEW-E2E')).toBeVisible();
    await expect(page.getByText('Owes nothing')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Write' })).toHaveAccessibleDescription(
      'Nothing is unpaid',
    );

    await user.getByRole('button', { name: 'Edit', exact: true }).click();
    await field('Name').fill('Anna Nowak');
    await field('E-mail').fill('Anna@Mail.example');
    await field('Telegram username').fill('@anna_nowak_e2e');
    await field('Telegram ID').fill('9000000000002');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(title).toHaveText('anna_nowak_e2e');
    for (const text of ['Anna Nowak', 'anna@mail.example', '@anna_nowak_e2e', '9000000000002'])
      await expect(user.getByText(text, { exact: true })).toBeVisible();

    // What another person changes shows without a reload.
    await api.call('PATCH /api/traders/{id}', { params: { id: id ?? '' }, body: { name: 'Anna N.' } });
    await expect(user.getByText('Anna N.', { exact: true })).toBeVisible();

    await page.goto('/?tab=none&search=anna_nowak_e2e&in=other');
    await expect(page.getByText('1 trader found')).toBeVisible();
  } finally {
    if (id) await api.call('DELETE /api/traders/{id}', { params: { id } });
  }
});
