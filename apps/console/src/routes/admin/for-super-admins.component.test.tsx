import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { refuse } from '../../testing/serve-calls.ts';
import { idOf, READS_UNDER_WAY, STAFF, showScreen } from '../../testing/show-screen.tsx';
import { BYBIT, showTrader, trader } from '../../testing/show-trader.ts';

/** What the frame asks for on every screen. */
const OF_THE_FRAME = /^GET \/api\/(attention|events|payments\/stop|users\/\{id\}\/communities)$/;
const STAFF_OF_THREE = {
  ...STAFF,
  providers: [1, 2, 3].map((n) => ({ id: idOf(900 + n), name: `Provider ${n}`, role: 'owner' as const })),
};

test.each([
  ['/super-admin', STAFF],
  ['/super-admin', STAFF_OF_THREE],
  ['/payouts/due', STAFF],
  ['/recipients', STAFF],
  ['/approvals', STAFF],
  ['/audit', STAFF],
  ['/audit?view=security', STAFF],
  ['/people', STAFF],
  [`/people/${idOf(1)}`, STAFF],
  ['/settings', STAFF],
  ['/roles', STAFF],
  ['/subscriptions', STAFF],
  ['/bots', STAFF],
  [`/bots/orders/${idOf(1)}`, STAFF],
  ['/messages/bots', STAFF],
  ['/service-tokens', STAFF],
  [`/providers/${idOf(1)}`, STAFF],
])('%s is closed to staff, without a request', async (path, user) => {
  const { server, address } = await showScreen(path, { user, answers: READS_UNDER_WAY });
  await expect.element(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  expect(page.getByRole('link', { name: 'Super Admin' }).elements()).toEqual([]);
  expect(server.sentKeys().filter((key) => !OF_THE_FRAME.test(key))).toEqual([]);
  await page.getByRole('button', { name: 'Back to Traders' }).click();
  await expect.poll(address).toBe('/');
});

test('staff get a notice instead of the providers', async () => {
  await showScreen('/providers', { user: STAFF, answers: READS_UNDER_WAY });
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Provider management is only available to super administrators.');
  expect(page.getByRole('button', { name: 'New provider' }).elements()).toEqual([]);
});

test('providers that failed to load are read again, and a missing provider says so', async () => {
  const { server, unmount } = await showScreen('/providers', {
    answers: { ...READS_UNDER_WAY, 'GET /api/providers': refuse(500, 'internal_error', 'Broken') },
  });
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to load providers');
  await expectAccessible();
  server.answer({
    'GET /api/providers': {
      success: true,
      data: [
        {
          id: idOf(1),
          name: 'aurora',
          display_name: 'Aurora Signals',
          payment_split_percentage: 0.35,
          supported_exchanges: [],
          is_active: true,
          invoicing_enabled: true,
        },
      ],
    },
  });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.element(page.getByRole('link', { name: 'Aurora Signals' })).toBeVisible();
  await unmount();
  await showScreen(`/providers/${idOf(2)}`, {
    answers: { ...READS_UNDER_WAY, 'GET /api/providers/{id}': refuse(404, 'not_found', 'Not found') },
  });
  await expect.element(page.getByRole('heading', { name: 'Provider Not Found' })).toBeVisible();
});

test('secrets that a provider leaves to super admins are not revealed to staff, and the page says so', async () => {
  await showTrader({ exchanges: [{ ...BYBIT, reveal_super_only: true }] }, { user: STAFF });
  const card = trader.card(BYBIT);
  await expect.element(card.getByText('Only super admins may reveal these secrets.')).toBeVisible();
  expect(card.getByRole('button', { name: /^(Reveal|Copy) (API|Secret) Key$/ }).elements()).toEqual([]);
  await expectAccessible();
});
