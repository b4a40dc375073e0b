import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { refuse } from '../../testing/serve-calls.ts';
import { STAFF, showScreen } from '../../testing/show-screen.tsx';

type Figures = CallAnswer<'GET /api/overview'>['data'];
type Audit = CallAnswer<'GET /api/audit'>;

const LONG = 'أحمد '.repeat(12).trim();
const daysOf = (amounts: (string | null)[], count = 3): Figures[number]['days'] =>
  amounts.map((amount, nth) => ({
    day: `2026-11-${String(nth + 10).padStart(2, '0')}`,
    amount,
    count: count + nth,
  }));
const FIGURES: Figures = [
  {
    name: 'outstanding',
    amount: '36573.447',
    count: 547,
    subjects: null,
    part: { amount: '1200.5', count: 12 },
    days: daysOf(['100', '120', '90', '80', '130', '36573.447']),
  },
  {
    name: 'to_pay_out',
    amount: '0.004',
    count: 1,
    subjects: 1,
    part: null,
    days: daysOf(['0.004']),
  },
  {
    name: 'paid_out',
    amount: '27224.09',
    count: 56,
    subjects: null,
    part: null,
    days: daysOf(['5', '7224.09']),
  },
  {
    name: 'failed_or_stuck',
    amount: '0',
    count: 0,
    subjects: null,
    part: { amount: '0', count: 0 },
    days: daysOf(['0']),
  },
  {
    name: 'not_delivered',
    amount: null,
    count: 16,
    subjects: 11,
    part: null,
    days: daysOf([null, null], 15),
  },
];
const AUDIT: Audit = {
  success: true,
  data: [
    {
      seq: '12',
      is_sealed: true,
      at: '2026-11-20T03:03:00.000Z',
      actor_kind: 'user',
      actor_id: 'user-1',
      actor_name: LONG,
      is_actor_person: true,
      action: 'distribution.requested',
      target_kind: 'community',
      target_id: '5f0c5f0c-0000-4000-8000-000000000001',
      target_name: 'Blue Harbor',
      before: null,
      after: null,
      request_id: null,
      keyed_by: 'api',
    },
  ],
  meta: { next_seq: null, total: 1, is_total_capped: false, target_name: null },
};
const DAY: CallAnswer<'GET /api/overview/today'>['data'] = [
  { name: 'invoices', count: 204, amount: '31000.5' },
  { name: 'deposits', count: 1, amount: '312.5' },
  { name: 'payouts', count: 0, amount: null },
  { name: 'harvests', count: 2, amount: null },
];
const CALLS = {
  'GET /api/overview': { success: true as const, data: FIGURES },
  'GET /api/overview/today': { success: true as const, data: DAY },
  'GET /api/audit': AUDIT,
};
const main = page.getByRole('main');
const figures = main.getByLabelText('Figures', { exact: true });
const link = (name: string) => figures.getByRole('link', { name, exact: true });

test('each figure says what it is made of, and leads to what it counts', async () => {
  await showScreen('/overview', { answers: CALLS });
  await expect.element(figures).toHaveTextContent('36,573.44 USDT');
  // Never a zero for what is not nothing, and none that is.
  await expect.element(figures).toHaveTextContent('<0.01 USDT');
  await expect.element(figures).toHaveTextContent('547 invoices, 1,200.50 overdue');
  await expect.element(figures).toHaveTextContent('1 share of 1 community');
  await expect.element(figures).toHaveTextContent('16 messages to 11 people');
  await expect.element(figures).toHaveTextContent('None');
  await expect.element(link('547 invoices')).toHaveAttribute('href', '/invoices?tab=unpaid&type=regular');
  await expect
    .element(link('56 payouts'))
    .toHaveAttribute('href', '/transaction-history?status=distributed&from=this_month');
  await expect.element(link('1 share')).toHaveAttribute('href', '/payouts/due');
  await expect.element(link('16 messages')).toHaveAttribute('href', '/messages?outcome=not_delivered');
  // A line from five days on, bars of what is added up or young, nothing of one day alone.
  const trends = figures.getByRole('img');
  expect(trends.elements().map((trend) => trend.getAttribute('aria-label'))).toEqual([
    'Outstanding, Nov 10, 2026 to Nov 15, 2026; from 100.00 USDT to 36,573.447 USDT; lowest 80.00 USDT, highest 36,573.447 USDT',
    'Paid out this month, Nov 10, 2026 to Nov 11, 2026; from 5.00 USDT to 7,224.09 USDT; lowest 5.00 USDT, highest 7,224.09 USDT',
    'Not delivered, Nov 10, 2026 to Nov 11, 2026; from 15 to 16; lowest 15, highest 16',
  ]);
  expect(trends.elements().map((trend) => trend.querySelectorAll('rect').length)).toEqual([0, 2, 2]);
  const today = main.getByRole('region', { name: 'Today' });
  await expect.element(today).toHaveTextContent('requested a distribution for the community Blue Harbor');
  const facts = today.getByRole('region', { name: 'By the system' });
  await expect
    .element(facts)
    .toHaveTextContent(
      'Invoiced by runs31,000.50 USDT in 204 invoicesDeposited312.50 USDT in 1 depositPaid outNoneHarvested2 cycles',
    );
  await expect
    .element(facts.getByRole('link', { name: '204 invoices' }))
    .toHaveAttribute('href', '/invoices/runs');
  await expect
    .element(today.getByRole('link', { name: 'All of today' }))
    .toHaveAttribute('href', '/audit?by=user&from=today');
  await expectAccessible();
});

test('staff sees three figures and no audit; what waits goes on in Attention', async () => {
  const { server } = await showScreen('/overview', {
    user: STAFF,
    answers: {
      'GET /api/overview': { success: true, data: [FIGURES[0], FIGURES[2], FIGURES[4]] as Figures },
    },
  });
  await expect.element(link('547 invoices')).toBeVisible();
  expect(figures.getByRole('term').elements()).toHaveLength(3);
  expect(server.sentTo('GET /api/audit')).toEqual([]);
  await main.getByRole('tab', { name: 'Others' }).click();
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Attention');
  await expect.element(main.getByText('Nothing waits for others')).toBeVisible();
});

test('on a phone nothing scrolls sideways, whatever names are written in', async () => {
  await showScreen('/overview', { answers: CALLS, width: 390, height: 844 });
  await expect.element(link('547 invoices')).toBeVisible();
  await expect.element(main.getByRole('region', { name: 'Today' })).toHaveTextContent(LONG);
  const shown = document.querySelector('main') as HTMLElement;
  expect(shown.scrollWidth - shown.clientWidth).toBe(0);
  await expectAccessible();
});

test('what cannot be loaded says so by itself, and the rest is there', async () => {
  let isBack = false;
  await showScreen('/overview', {
    answers: {
      'GET /api/overview/today': CALLS['GET /api/overview/today'],
      'GET /api/overview': () =>
        isBack ? CALLS['GET /api/overview'] : refuse(503, 'query_timeout', 'This took too long.'),
      'GET /api/audit': { ...AUDIT, data: [], meta: { ...AUDIT.meta, total: 0 } },
    },
  });
  await expect.element(main.getByText('The figures could not be loaded')).toBeVisible();
  await expect.element(main.getByText('This took too long.')).toBeVisible();
  await expect.element(main.getByText('Nothing waits for you')).toBeVisible();
  await expect.element(main.getByText('Nothing yet today')).toBeVisible();
  await expectAccessible();
  isBack = true;
  await main.getByRole('button', { name: 'Retry' }).click();
  await expect.element(link('547 invoices')).toBeVisible();
});
