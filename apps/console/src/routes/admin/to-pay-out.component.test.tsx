import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { refuse } from '../../testing/serve-calls.ts';
import { READS_UNDER_WAY, showScreen } from '../../testing/show-screen.tsx';

const DUE = 'GET /api/super-admin/pending-distributions';
type Due = CallAnswer<typeof DUE>;
const LONG = 'مجموعة الخليج '.repeat(10).trim();
const dueOf = (id: number, name: string, shown: Partial<Due['data'][number]> = {}): Due['data'][number] => ({
  community: { id: `5f0c5f0c-0000-4000-8000-00000000000${id}`, name, is_archived: false },
  amount: '6929.901',
  count: 31,
  payable: { amount: '6929.901', count: 31 },
  held: { amount: '0', count: 0, reasons: [] },
  unaddressed: { amount: '0', count: 0 },
  oldest_at: '2026-03-01T00:00:00.000Z',
  awaiting: null,
  last_distribution: null,
  ...shown,
});
const answerOf = (data: Due['data']): Due => ({
  success: true,
  data,
  meta: { amount: '6930.405', count: 32, communities: data.length, totals_at: '2026-11-29T02:00:00.000Z' },
});
const main = page.getByRole('main');
const table = main.getByRole('table', { name: /^Communities with shares/ });

test('what each community owes, what of it can be paid, and why not the rest', async () => {
  await showScreen('/payouts/due', {
    answers: {
      ...READS_UNDER_WAY,
      [DUE]: answerOf([
        dueOf(1, 'Blue Harbor', {
          held: { amount: '100.5', count: 4, reasons: ['address_changed', 'not_checked'] },
          unaddressed: { amount: '0.004', count: 1 },
          awaiting: { amount: '2702.32', count: 1 },
          last_distribution: {
            id: '5f0c5f0c-0000-4000-8000-0000000000aa',
            amount: '2702.32',
            created_at: '2026-11-01T00:00:00.000Z',
          },
        }),
        dueOf(2, LONG, {
          community: { ...dueOf(2, LONG).community, is_archived: true },
          amount: '0.504',
          count: 1,
        }),
      ]),
    },
  });
  const rows = table.getByRole('row');
  await expect.element(rows.nth(1)).toHaveTextContent('Blue Harbor');
  await expect.element(rows.nth(1)).toHaveTextContent('6,929.90 31 shares');
  await expect
    .element(rows.nth(1))
    .toHaveTextContent('100.50 Held: changed addresses, imports that are not checked');
  await expect.element(rows.nth(1)).toHaveTextContent('<0.01 No payout address');
  await expect.element(rows.nth(1)).toHaveTextContent('2,702.32 waits for another super admin');
  await expect.element(rows.nth(2)).toHaveTextContent('Archived');
  await expect.element(rows.nth(2)).toHaveTextContent('None on record');
  await expect.element(main.getByText('6,930.40 USDT in 32 shares')).toBeVisible();
  await expect.element(main.getByRole('link', { name: 'Recipients' })).toHaveAttribute('href', '/recipients');
  await expect
    .element(table.getByRole('link', { name: 'Blue Harbor' }))
    .toHaveAttribute('href', '/community-settings/5f0c5f0c-0000-4000-8000-000000000001?tab=money');
  await expectAccessible();
  await table.getByRole('button', { name: 'Distribute Blue Harbor' }).click();
  await expect
    .element(page.getByRole('dialog', { name: 'Distribute Funds' }))
    .toHaveTextContent('Blue Harbor');
});

test('on a phone each community is a card, and nothing scrolls sideways', async () => {
  await showScreen('/payouts/due', {
    answers: { ...READS_UNDER_WAY, [DUE]: answerOf([dueOf(1, LONG)]) },
    width: 390,
    height: 844,
  });
  await expect.element(main.getByRole('listitem').filter({ hasText: '6,929.90' })).toBeVisible();
  const shown = document.querySelector('main') as HTMLElement;
  expect(shown.scrollWidth - shown.clientWidth).toBe(0);
  await expectAccessible();
});

test('nothing to pay out, what cannot be loaded, and who may not see it', async () => {
  let isBroken = true;
  await showScreen('/payouts/due', {
    answers: {
      ...READS_UNDER_WAY,
      [DUE]: () => (isBroken ? refuse(503, 'query_timeout', 'This took too long.') : answerOf([])),
    },
  });
  await expect.element(main.getByText('What is owed could not be loaded')).toBeVisible();
  isBroken = false;
  await main.getByRole('button', { name: 'Retry' }).click();
  await expect.element(main.getByText('Nothing to pay out')).toBeVisible();
  await expectAccessible();
});

test('while it loads, nothing in its outline can be reached', async () => {
  await showScreen('/payouts/due', { answers: READS_UNDER_WAY });
  await expect.element(main.getByRole('heading', { name: 'To pay out' })).toBeVisible();
  await expectAccessible();
});
