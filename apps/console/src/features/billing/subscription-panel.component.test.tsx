import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { refuse } from '../../testing/serve-calls.ts';
import { COMMUNITY, showCommunity } from '../../testing/show-community.ts';

const GET = 'GET /api/communities/{id}/subscription';
type Subscription = CallAnswer<typeof GET>['data'];

const subscription = (changes: Partial<Subscription> = {}): CallAnswer<typeof GET> => ({
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
    ...changes,
  },
});
const panel = page.getByRole('region', { name: 'Subscription' });
const TAB = '?tab=settings';

test('a community that never subscribed is offered the plans', async () => {
  await showCommunity({ answers: { [GET]: subscription() } }, TAB);
  await expect.element(panel).toHaveTextContent('This community has never subscribed.');
  await expect.element(panel).toHaveTextContent('Cannot be switched on');
  await expect.element(panel.getByRole('button', { name: 'Subscribe Yearly · $1,990 a year' })).toBeVisible();
  await panel.getByRole('button', { name: 'Subscribe Monthly · $199 a month' }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toHaveTextContent('Monthly, $199 a month, until it is cancelled.');
  await expectAccessible();
});

test('a subscription is managed at Stripe', async () => {
  await showCommunity(
    {
      answers: {
        [GET]: subscription({
          status: 'active',
          is_active: true,
          interval: 'monthly',
          current_period_end: '2026-12-02T10:00:00.000Z',
          allows: ['exchange_bot'],
          has_customer: true,
        }),
      },
    },
    TAB,
  );
  await expect.element(panel).toHaveTextContent('Renews on Dec 2, 2026.');
  await expect.element(panel).toHaveTextContent('Included');
  await panel.getByRole('button', { name: 'Manage' }).click();
  await expect
    .element(page.getByRole('dialog'))
    .toHaveTextContent(`Manage the subscription of ${COMMUNITY.name}`);
  await expectAccessible();
});

test('a payment that failed leaves everything open for a while', async () => {
  await showCommunity(
    {
      answers: {
        [GET]: subscription({
          status: 'past_due',
          is_active: true,
          interval: 'monthly',
          unpaid_since: '2026-01-02T10:00:00.000Z',
          grace_until: '2026-01-09T10:00:00.000Z',
          allows: ['exchange_bot'],
          has_customer: true,
        }),
      },
    },
    TAB,
  );
  await expect.element(panel).toHaveTextContent('The last payment failed');
  await expect.element(panel).toHaveTextContent('Everything stays open until Jan 9, 2026');
  await expect.element(panel).toHaveTextContent('Included');
  await expectAccessible();
});

test('after the payment page an ended subscription waits for its confirmation', async () => {
  const ended = subscription({
    status: 'canceled',
    closed_at: '2026-01-02T10:00:00.000Z',
    has_customer: true,
  });
  const { server, address } = await showCommunity({ answers: { [GET]: ended } }, '?checkout=done');
  await expect.element(panel).toHaveTextContent('Waiting for confirmation');
  await expect.element(panel).toHaveTextContent('It ended on Jan 2, 2026');
  expect(panel.getByRole('button', { name: /Subscribe/ }).elements()).toEqual([]);
  expect(page.getByText('Subscription confirmed').elements()).toEqual([]);
  await expectAccessible();
  // It is read again every two seconds until Stripe has confirmed it.
  server.answer({
    [GET]: subscription({
      status: 'active',
      is_active: true,
      interval: 'monthly',
      current_period_end: '2026-12-02T10:00:00.000Z',
    }),
  });
  await expect.element(page.getByText('Subscription confirmed', { exact: true }).first()).toBeVisible();
  // The subscription stays where it was seen.
  await expect.poll(address).toMatch(/\?tab=settings$/);
});

test('without keys of Stripe nothing is sold, and a failed call is repeated on demand', async () => {
  const { server } = await showCommunity(
    { answers: { [GET]: refuse(503, 'unavailable', 'Try later') } },
    TAB,
  );
  await expect.element(panel.getByRole('alert')).toHaveTextContent('Try later');
  await expectAccessible();
  server.answer({ [GET]: subscription({ is_configured: false }) });
  await panel.getByRole('button', { name: /again|retry/i }).click();
  await expect.element(panel).toHaveTextContent('This server has no keys of Stripe');
  expect(panel.getByRole('button', { name: /Subscribe/ }).elements()).toEqual([]);
  await expectAccessible();
});
