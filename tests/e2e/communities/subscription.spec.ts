import { expectAccessible } from '../support/accessibility.ts';
import { PLATFORM_BOT, telegramPerson } from '../support/telegram-person.ts';
import { expect, test } from '../support/test.ts';

// The only community of the demo world that never subscribed; its subscription is ended at the end.
const NAME = 'Indigo Room';

test('a community subscribes on the payment page, and cancels on the other', async ({ page, api }) => {
  const dialog = page.getByRole('dialog');
  const panel = page.getByRole('region', { name: 'Subscription' });
  const { data: communities } = await api.call('GET /api/communities');
  const { id } = communities.find(({ name }) => name === NAME) ?? { id: '' };
  const reports = async (status: string) =>
    expect
      .poll(async () => {
        const { data } = await api.call('GET /api/communities/{id}/subscription', { params: { id } });
        return `${data.status} ${data.cancel_at_period_end}`;
      })
      .toBe(status);

  await page.goto(`/community-settings/${id}?tab=settings`);
  // A second attempt finds the subscription of the first one, which has ended.
  await expect(panel).toContainText(/This community has never subscribed\.|It ended on/);
  await expect(panel).toContainText('Cannot be switched on');
  await expect(panel.getByRole('button', { name: 'Subscribe Yearly · $1,990 a year' })).toBeVisible();
  await panel.getByRole('button', { name: 'Subscribe Monthly · $199 a month' }).click();
  await expect(dialog).toContainText('Monthly, $199 a month, until it is cancelled.');
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();

  // The dialog has the same heading.
  await expect(page).not.toHaveURL(/community-settings/);
  await expect(page.getByRole('heading', { name: `Subscribe ${NAME}` })).toBeVisible();
  await page.getByRole('button', { name: 'Pay with a card that is declined' }).click();
  await expect(page.getByRole('alert')).toContainText('The card was declined');
  await page.getByRole('button', { name: 'Pay $199.00' }).click();
  await expect(page).toHaveURL(new RegExp(`/community-settings/${id}`));
  await expect(panel).toContainText('Renews on');
  await expect(page.getByText('Subscription confirmed', { exact: true })).toBeVisible();
  await expect(page).not.toHaveURL(/checkout/);
  await expect(panel).toContainText('Included');
  await reports('active false');

  await panel.getByRole('button', { name: 'Manage' }).click();
  await expect(dialog).toContainText(`Manage the subscription of ${NAME}`);
  await dialog.getByRole('button', { name: 'Open Stripe' }).click();
  await expect(page.getByRole('button', { name: 'Cancel subscription' })).toBeVisible();
  const { origin: stripe } = new URL(page.url());
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByText('Ends on')).toBeVisible();
  await page.getByRole('link', { name: 'Return to the console' }).click();
  await expect(panel).toContainText('Cancelled. It stays open until');
  await reports('active true');

  await endSubscription(stripe);
  await expect(panel).toContainText('It ended on');
});

test('the owner of a community pays by the link that a super admin has sent', async ({
  page,
  api,
  browser,
}) => {
  const { data: communities } = await api.call('GET /api/communities');
  const { id } = communities.find(({ name }) => name === NAME) ?? { id: '' };
  const person = { id: 7_300_000_000 + Math.floor(Math.random() * 1_000_000), first_name: 'Inés' };
  const { act, received } = telegramPerson(PLATFORM_BOT, person);
  await act({ text: '/start' });
  await api.call('PATCH /api/communities/{id}', {
    params: { id },
    body: { owner_name: 'Inés', owner_telegram_id: String(person.id), owner_language: 'es' },
    idempotencyKey: null,
  });
  await page.goto('/subscriptions');
  await page.getByRole('button', { name: `Send link to the owner of ${NAME}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('todavía no está pagada');
  await dialog.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('Payment link queued', { exact: true })).toBeVisible();
  const link = async () =>
    /href="([^"]+community-owner#[\w-]+)"/.exec((await received()).at(-1)?.html ?? '')?.[1] ?? '';
  await expect.poll(link).not.toBe('');

  // The owner's own device, where nobody is signed in.
  const device = await browser.newContext();
  const owner = await device.newPage();
  await owner.goto(await link());
  await expect(owner.getByRole('heading', { name: /^Suscripción de/ })).toContainText(NAME);
  await owner.getByRole('button', { name: /^Mensual/ }).click();
  await expect(owner.getByRole('heading', { name: `Subscribe ${NAME}` })).toBeVisible();
  const { origin: stripe } = new URL(owner.url());
  await owner.getByRole('button', { name: 'Pay $199.00' }).click();
  await expect(owner.getByText('La suscripción está pagada. Gracias.')).toBeVisible();
  await expectAccessible(owner);
  await device.close();

  const row = page.getByRole('row').filter({ hasText: NAME });
  await expect(row).toContainText('Active');
  await expect(row.getByRole('button', { name: /^Send link/ })).toHaveCount(0);
  await endSubscription(stripe);
  await expect(row).toContainText('Ended');
});

/** As an operator would at the dashboard of Stripe. */
async function endSubscription(stripe: string): Promise<void> {
  const { customers } = (await (await fetch(`${stripe}/__billing`)).json()) as {
    customers: Record<string, { id: string; name: string }>;
  };
  const customer = Object.values(customers).find(({ name }) => name === NAME)?.id;
  const ended = await fetch(`${stripe}/__billing`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ act: 'cancel_now', customer }),
  });
  expect(ended.status).toBe(200);
}
