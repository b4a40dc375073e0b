import type { CallAnswer } from '@copydesk/contract';
import { shortId } from '@copydesk/domain/money';
import { EXPECTED_STEP_KINDS, EXPECTED_STEPS, TIMELINE_EVENTS } from '@copydesk/domain/timeline';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { AT, invoiceDetailOf, messagesOf, showGroups } from '../../testing/show-invoices.ts';
import { idOf } from '../../testing/show-screen.tsx';

const GET = 'GET /api/timeline';
type Timeline = CallAnswer<typeof GET>['data'];
type Event = Timeline['events'][number];

const ID = idOf(5000);
const HASH = `0x${'cd'.repeat(32)}`;
const timeline = page
  .getByRole('dialog', { name: `Invoice ${shortId(ID)}` })
  .getByRole('region', { name: 'Timeline' });
const region = page.getByRole('region', { name: 'Timeline' });

const eventOf = (changes: Partial<Event>): Event => ({
  ...{ at: AT, kind: 'invoiced', state: 'done', amount: null, count: 1, actor: 'system', actor_name: null },
  ...{ transaction_hash: null, subject: null, detail: null, problem: null },
  ...changes,
});
const expected = (...kinds: (keyof typeof EXPECTED_STEPS)[]): Timeline['expected'] =>
  kinds.map((kind) => ({ kind, at: null, count: 1, ...EXPECTED_STEPS[kind] }));
const answer = (data: Partial<Timeline>): CallAnswer<typeof GET> => ({
  success: true,
  data: { events: [], event_count: data.events?.length ?? 0, expected: [], ...data },
});

const show = (told: Answers[typeof GET], shown = {}) =>
  showGroups(`?invoice=${ID}`, {
    height: 2000,
    ...shown,
    answers: {
      'GET /api/invoices/{id}': {
        success: true,
        data: invoiceDetailOf(),
      },
      'GET /api/invoices/{id}/positions': { success: true, data: [], meta: { total: 0, profit: '0' } },
      'GET /api/messages': messagesOf(),
      ...(told && { [GET]: told }),
    },
  });
const rows = (name: string) =>
  region
    .getByRole('list', { name })
    .getByRole('listitem')
    .elements()
    .map(({ textContent }) => textContent);

test('says what comes next and for whom it waits, then what happened, by whom, and where it is on chain', async () => {
  await show(
    answer({
      expected: [
        { kind: 'payment_due', at: AT, count: 1, ...EXPECTED_STEPS.payment_due },
        ...expected('transfer_final'),
      ],
      events: [
        eventOf({ kind: 'payout_sent', state: 'unknown', amount: '12.5', transaction_hash: HASH }),
        eventOf({
          ...{ kind: 'payout_ordered', actor: 'person', actor_name: 'Ada', detail: 'community' },
          ...{ subject: { kind: 'payout', id: idOf(9) }, amount: '12.5' },
        }),
        eventOf({ kind: 'message', state: 'failed', detail: 'invoice_created', problem: 'blocked' }),
        eventOf({ kind: 'positions_closed', actor: 'exchange', count: 3, detail: 'bybit' }),
      ],
    }),
  );
  await expect.element(region.getByText('Payment', { exact: true })).toBeVisible();
  expect(rows('Expected next')).toEqual([
    expect.stringMatching(/^Payment.*Waits for the trader\. Later it is overdue\.$/),
    'Outcome of 1 sent transferWaits for the chain. The same transfer is sent again with a higher fee, never a second one.',
  ]);
  const story = rows('What happened, latest first');
  expect(story[0]).toMatch(/^Payout sent \$12\.50Outcome not known yetby the system0xcdcd/);
  expect(story[1]).toMatch(/^Payout ordered, community \$12\.50by AdaPayout/);
  expect(story[2]).toMatch(/^Message “New invoice” not deliveredby the systemThe trader has blocked the bot/);
  expect(story[3]).toMatch(/^3 positions closed at Bybitby the exchange/);
  await expect
    .element(region.getByRole('link', { name: 'Payout' }))
    .toHaveAttribute('href', `/transaction-history?payout=${idOf(9)}`);
  await expectAccessible();
});

test('has words for every event and every step', async () => {
  await show(
    answer({
      events: TIMELINE_EVENTS.map((kind, nth) => eventOf({ kind, at: new Date(nth * 60_000).toISOString() })),
      expected: expected(...EXPECTED_STEP_KINDS),
    }),
  );
  await expect.element(region.getByText('Invoiced', { exact: true })).toBeVisible();
  for (const text of [...rows('Expected next'), ...rows('What happened, latest first')])
    expect(text).not.toMatch(/undefined|null|_/);
  expect(rows('What happened, latest first')).toHaveLength(TIMELINE_EVENTS.length);
});

test('shows the latest, then earlier ones when asked, and says what is left out', async () => {
  const many = (n: number) =>
    Array.from({ length: n }, (_, nth) =>
      eventOf({ at: new Date(Date.parse(AT) - nth * 60_000).toISOString() }),
    );
  const { server } = await show(({ query }) =>
    answer({ events: many(Number(query.limit)), event_count: 1_234 }),
  );
  const story = region.getByRole('list', { name: 'What happened, latest first' }).getByRole('listitem');
  await expect.poll(() => story.elements().length).toBe(15);
  await region.getByRole('button', { name: 'Show earlier events' }).click();
  await expect.poll(() => story.elements().length).toBe(200);
  await expect.element(region.getByText('The latest 200 of 1,234')).toBeVisible();
  await expect.element(region.getByRole('button', { name: 'Show earlier events' })).not.toBeInTheDocument();
  expect(server.sentTo(GET).map(({ query }) => query.limit)).toEqual(['15', '200']);
});

test('that cannot be loaded says so, beside the rest of the invoice', async () => {
  const { server } = await show(refuse(500, 'internal', 'Something failed'));
  await expect.element(region.getByText('The timeline could not be loaded')).toBeVisible();
  server.answer({ [GET]: answer({ events: [eventOf({})] }) });
  await region.getByRole('button', { name: 'Retry' }).click();
  await expect.element(region.getByText('Invoiced', { exact: true })).toBeVisible();
});

test('fits a phone', async () => {
  await show(answer({ events: [eventOf({ transaction_hash: HASH })], expected: expected('payment_due') }), {
    ...{ width: 390, height: 844 },
  });
  await expect.element(timeline.getByText('Invoiced', { exact: true })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});
