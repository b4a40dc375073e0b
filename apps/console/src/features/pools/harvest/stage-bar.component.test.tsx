import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { fakeTime, pass } from '../../../testing/faked-time.ts';
import { POOL, region, showPool } from '../../../testing/show-pool.ts';
import { STAFF } from '../../../testing/show-screen.tsx';
import { type Pool, someAnswers, somePool, someProgress } from '../../../testing/some-pools.ts';

const panel = region('Harvest Cycle');
const bar = panel.getByRole('list', { name: 'Steps of the harvest' });
const steps = () =>
  bar
    .getByRole('listitem')
    .elements()
    .map((step) => step.textContent);
const present = () => bar.element().querySelector('[aria-current=step]')?.textContent;

type Cycle = Pool['current_harvest_cycle'];
const inStep = (status: Cycle['status'], changes: Partial<Cycle> = {}): Pool => {
  const pool = somePool(0, status);
  return { ...pool, current_harvest_cycle: { ...pool.current_harvest_cycle, ...changes } };
};

test('a pool that waits for its owner: the time in each step, for whom it waits, and the countdown', async () => {
  const ownNow = performance.now.bind(performance);
  let ahead = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ownNow() + ahead);
  onTestFinished(() => clock.mockRestore());
  fakeTime();
  await showPool(somePool(0, 'awaiting_bybit_withdrawal'));
  await expect
    .poll(steps)
    .toEqual([
      'Pause, done8 min',
      'Check, done8 min',
      'Withdraw, running2 d 4 h',
      'Value, to come',
      'Open, to come',
      'Fund, to come',
      'Resume, to come',
    ]);
  expect(present()).toMatch(/^Withdraw/);
  await expect
    .element(panel)
    .toHaveTextContent('Waits for the owner to withdraw, since Jan 20, 09:3019 h 25 min left');
  await expect.element(panel).toHaveTextContent('DeadlineJan 23, 09:30');
  // The browser's date is months later: only what has passed since the answer counts.
  ahead = 61_000;
  await pass(60_100);
  await expect.element(panel).toHaveTextContent('19 h 23 min left');
  vi.useRealTimers();
  await expectAccessible();
});

test('a failed step is the present one, and nothing is counted down', async () => {
  await showPool(inStep('failed', { reason: 'deadline_passed' }));
  await expect.poll(present).toBe('Fund, failed2 d 4 h');
  expect(steps()[4]).toBe('Open, done24 min');
  await expect.element(panel).toHaveTextContent('Waits for a super admin to retry');
  await expect.element(panel).not.toHaveTextContent(/ left|passed \d/);
  await expectAccessible();
});

test('a pool that trades has every step before it, and waits for no one', async () => {
  await showPool(somePool(0, 'stopped'));
  await expect.poll(() => steps().length).toBe(7);
  expect(steps().every((text) => text?.endsWith(', to come'))).toBe(true);
  expect(present()).toBeUndefined();
  await expect.element(panel).not.toHaveTextContent('Waits for');
});

test('a deadline that has passed says since when', async () => {
  await showPool(inStep('processing_invoices', { deadline_at: '2026-01-22T13:00:00.000Z' }));
  await expect.element(panel).toHaveTextContent('Deadline passed 1 h 5 min ago');
  await expect.element(panel).toHaveTextContent('DeadlinePassed: Jan 22, 13:00');
});

test('trading that goes on after the pause is red, at the head of the page and beneath the bar', async () => {
  await showPool(inStep('awaiting_bybit_withdrawal', { reason: 'open_positions_exist' }));
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'although trading was paused' }))
    .toBeVisible();
  const line = panel.getByText(/^Waits for an operator to stop trading and close all positions/);
  await expect.element(line).toHaveClass('text-negative');
  await expectAccessible();
});

test('a withdrawal that was not needed is skipped, and staff see no times of finished steps', async () => {
  const pool = inStep('processing_invoices');
  const { data } = someAnswers(pool, { isSuper: true })['/harvest/status'] as {
    data: { entered: { step: string }[] };
  };
  const entered = data.entered.filter(({ step }) => step !== 'withdrawing');
  const { unmount } = await showPool(pool, {
    [`${POOL}/harvest/status`]: { success: true, data: { ...data, entered } } as never,
  });
  await expect
    .poll(() => steps().slice(0, 4))
    .toEqual(['Pause, done8 min', 'Check, done16 min', 'Withdraw, skippedSkipped', 'Value, running2 d 4 h']);
  await unmount();

  const ofStaff = { proxy_balance: null, bybit_balance: null, bybit_read: null };
  await showPool({ ...pool, ...ofStaff }, {}, { user: STAFF });
  await expect
    .poll(() => steps().slice(0, 4))
    .toEqual(['Pause, done', 'Check, done', 'Withdraw, done', 'Value, running2 d 4 h']);
  await expectAccessible();
});

test('the owner is reminded from the panel, with what is written on screen before', async () => {
  const ACT = 'POST /api/pooled-accounts/{id}/harvest';
  const pool = somePool(0, 'awaiting_bybit_withdrawal');
  const progress = someProgress({ actions: [{ action: 'remind_owner', refusal: null }] });
  const reminder = { text: 'Please withdraw everything.', language: 'en' as const };
  const { server } = await showPool(pool, {
    [`${POOL}/harvest/progress`]: {
      success: true,
      data: { ...progress, owner: { ...progress.owner, reminder } },
    },
    [ACT]: { success: true, data: pool },
  });
  await panel.getByRole('button', { name: 'Remind owner' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remind owner' });
  await expect.element(dialog).toHaveTextContent('Please withdraw everything.');
  await dialog.getByRole('button', { name: 'Remind owner' }).click();
  await expect.element(page.getByText('Reminder queued').first()).toBeVisible();
  expect(server.sentTo(ACT)).toMatchObject([{ body: { action: 'remind_owner' }, key: expect.any(String) }]);
});
