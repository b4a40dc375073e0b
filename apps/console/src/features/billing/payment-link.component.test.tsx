import type { CallAnswer } from '@copydesk/contract';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { COMMUNITY, showCommunity } from '../../testing/show-community.ts';
import { showScreen } from '../../testing/show-screen.tsx';

const SUBSCRIPTION = 'GET /api/communities/{id}/subscription';
const SHOWN = 'GET /api/communities/{id}/payment-link';
const SENT = 'POST /api/communities/{id}/payment-link';
const ASKED = 'POST /api/community-owner/payment';
const OPEN = 'POST /api/community-owner/payment/page';
type Link = CallAnswer<typeof SHOWN>['data'];
type Payment = CallAnswer<typeof ASKED>['data'];

const subscription: CallAnswer<typeof SUBSCRIPTION> = {
  success: true,
  data: {
    community_id: COMMUNITY.id,
    is_active: false,
    interval: null,
    current_period_end: null,
    status: 'none',
    cancel_at_period_end: false,
    trial_end: null,
    unpaid_since: null,
    grace_until: null,
    closed_at: null,
    allows: [],
    payment_notice: null,
    has_duplicate: false,
    read_at: null,
    is_configured: true,
    has_customer: false,
    plans: { monthly: '199', yearly: '1990' },
  },
};
const link = (over: Partial<Link> = {}) => ({
  success: true as const,
  data: {
    owner: { name: 'Olga', has_chat: true },
    language: 'es' as const,
    text: 'Hola, Olga:\n\nLa suscripción todavía no está pagada.\nAbrir la página de pago',
    sent: null,
    ...over,
  },
});
const dialog = page.getByRole('dialog', { name: 'Send the owner the payment link' });
const send = dialog.getByRole('button', { name: 'Send link' });
async function openDialog(answers: Answers) {
  const shown = await showCommunity(
    { answers: { [SUBSCRIPTION]: subscription, ...answers } },
    '?tab=settings',
  );
  await page.getByRole('button', { name: 'Send the owner the payment link' }).click();
  return shown;
}

test('what the owner would be sent is shown, and sent', async () => {
  const sent = { at: new Date(Date.now() - 7_200_000).toISOString(), state: 'failed', by: 'Sue' } as const;
  const { server } = await openDialog({ [SHOWN]: link({ sent }), [SENT]: link() });
  await expect.element(dialog).toHaveTextContent(/The bot writes this now to Olga, the owner of/);
  await expect.element(dialog).toHaveTextContent('La suscripción todavía no está pagada.');
  await expect.element(dialog).toHaveTextContent(/The last one is by Sue.*It was not delivered\./);
  expect(dialog.element().querySelector('[lang="es"]')).not.toBeNull();
  await expectAccessible();
  await send.click();
  await expect.element(page.getByText('Payment link queued')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(server.sentTo(SENT)).toHaveLength(1);
});

test('an owner without a chat is not written to', async () => {
  const { server } = await openDialog({ [SHOWN]: link({ owner: { name: null, has_chat: false } }) });
  await expect.element(dialog).toHaveTextContent('The owner has no Telegram ID.');
  (send.element() as HTMLElement).click();
  await expect.element(dialog).toBeVisible();
  expect(server.sentTo(SENT)).toEqual([]);
  await expectAccessible();
});

test('one that another person has just sent is not sent again, and the dialog says so', async () => {
  await openDialog({
    [SHOWN]: link(),
    [SENT]: refuse(409, 'reminded_lately', 'The owner was written to within the last 10 minutes.'),
  });
  await send.click();
  await expect.element(dialog).toHaveTextContent('The owner was written to within the last 10 minutes.');
});

test('where nothing can be paid any more, the dialog says why', async () => {
  const { server } = await openDialog({
    [SHOWN]: refuse(409, 'already_subscribed', 'This community is subscribed already.'),
  });
  await expect.element(dialog).toHaveTextContent('This community is subscribed already.');
  (send.element() as HTMLElement).click();
  expect(server.sentTo(SENT)).toEqual([]);
});

const words: Payment['words'] = {
  title: 'Subscription of Alpha Traders',
  plan: 'Choose a plan. You pay on the page of Stripe, and nothing is paid before.',
  unpaid: 'The last payment failed. You can pay it on the page of Stripe.',
  pay: 'Continue to payment',
  awaited: 'Your payment is being confirmed. This takes a few seconds.',
  failed: 'This does not work right now. Please try again in a few minutes.',
  paid: 'The subscription is paid. Thank you.',
  over: 'There is nothing to pay here at present.',
};
const payment = (over: Partial<Payment> = {}): CallAnswer<typeof ASKED> => ({
  success: true,
  data: {
    language: 'en',
    state: 'plan',
    plans: [
      { interval: 'monthly', label: 'Monthly: $199' },
      { interval: 'yearly', label: 'Yearly: $1990' },
    ],
    words,
    ...over,
  },
});
/** The token is in the fragment of the address, which no server receives. */
function openPage(answers: Answers, path = '/community-owner') {
  location.hash = 'a-token';
  onTestFinished(() => history.replaceState(null, '', location.pathname + location.search));
  return showScreen(path, { answers });
}

test('an owner without an account chooses a plan, and reads in their words that it fails', async () => {
  const { server } = await openPage({
    [ASKED]: payment(),
    [OPEN]: refuse(503, 'billing_unavailable', 'The payment service cannot be reached.'),
  });
  await expect.element(page.getByRole('heading', { name: words.title })).toBeVisible();
  await expect.element(page.getByText(words.plan)).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Yearly: $1990' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent(words.failed);
  expect(server.sentTo(OPEN).map(({ body }) => body)).toEqual([{ token: 'a-token', interval: 'yearly' }]);
  await expectAccessible();
});

test('who owes is asked for that alone, in the direction of the language', async () => {
  const { server } = await openPage({
    [ASKED]: payment({ language: 'ar', state: 'unpaid', plans: [] }),
    [OPEN]: refuse(409, 'already_subscribed', 'This community is subscribed already.'),
  });
  await expect.element(page.getByText(words.unpaid)).toBeVisible();
  expect(document.querySelector('[lang="ar"]')?.getAttribute('dir')).toBe('rtl');
  await page.getByRole('button', { name: words.pay }).click();
  await expect
    .poll(() => server.sentTo(OPEN).map(({ body }) => body))
    .toEqual([{ token: 'a-token', interval: null }]);
  // What is left is read again.
  await expect.poll(() => server.sentTo(ASKED).length).toBe(2);
});

test('who comes back waits for the confirmation, and is thanked once it is there', async () => {
  let isKnown = false;
  await openPage(
    {
      [ASKED]: () => {
        return payment(isKnown ? { state: 'paid', plans: [] } : {});
      },
    },
    '/community-owner?paid=1',
  );
  await expect.element(page.getByText(words.awaited)).toBeVisible();
  expect(page.getByRole('button', { name: 'Monthly: $199' }).elements()).toEqual([]);
  isKnown = true;
  await expect.element(page.getByText(words.paid)).toBeVisible();
  await expectAccessible();
});

test('a page where nothing can be paid says so', async () => {
  await openPage({ [ASKED]: payment({ state: 'over', plans: [] }) });
  await expect.element(page.getByText(words.over)).toBeVisible();
});
