import { PERSON_DEFAULTS, type PersonSettings } from '@copydesk/domain/person';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { personSettings } from '../../lib/person-settings.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../testing/serve-calls.ts';
import { LIST, listOf, payoutOf, showPayouts } from '../../testing/show-payouts.ts';
import { READS_UNDER_WAY, STAFF, SUPER_ADMIN, showScreen } from '../../testing/show-screen.tsx';

const PATCH = 'PATCH /api/me/settings';
const field = (label: string) => page.getByLabelText(label, { exact: true });
const heading = page.getByRole('heading', { name: 'Your settings', level: 1 });
const example = page.getByRole('paragraph').filter({ hasText: /^Now: / });
const zones = page.getByRole('listbox', { name: 'Time zone' }).getByRole('option');
const saving = page.getByRole('status').filter({ hasText: /sav/i });
const zoneOf = (bar = page.getByRole('banner')) => bar.getByTitle('Every time on screen is in this zone');

/** A server that keeps what it is sent. */
function keeping(stored: PersonSettings = PERSON_DEFAULTS): Answers {
  let present = stored;
  return {
    ...READS_UNDER_WAY,
    [PATCH]: ({ body }: { body: object }) => {
      present = { ...present, ...body };
      return { success: true, data: present };
    },
  };
}
const open = (answers: Answers = keeping(), shown = {}) =>
  showScreen('/preferences', { user: STAFF, answers, ...shown });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:02:00Z') });
  return () => vi.useRealTimers();
});

test('without a choice everything is as the product has it, and the page is open to its keyboard', async () => {
  const { server } = await open();
  await expect.element(heading).toBeVisible();
  await expect.element(example).toHaveTextContent('Now: Nov 21, 2026, 10:02 UTC · 1,234.56 USDT');
  await expect.element(page.getByRole('button', { name: 'Time zone: UTC' })).toBeVisible();
  const chosen = ['Dates', 'Numbers', 'Start with', 'Theme', 'Rows of tables'].map(
    (label) => (field(label).element() as HTMLSelectElement).selectedOptions[0]?.label,
  );
  expect(chosen).toEqual(['Nov 21, 2026', '1,234.56', 'Traders', 'As the device has it', 'Comfortable']);
  await expect.element(field('Keyboard shortcuts')).toBeChecked();
  expect(server.sentTo(PATCH)).toEqual([]);
  await expectAccessible();
});

test('a field is saved at once, by itself, and the example follows', async () => {
  const { server } = await open();
  await userEvent.selectOptions(field('Dates'), 'iso');
  await expect.element(example).toHaveTextContent('Now: 2026-11-21, 10:02 UTC · 1,234.56 USDT');
  await userEvent.selectOptions(field('Numbers'), 'space_comma');
  await expect.element(example).toHaveTextContent('1 234,56 USDT');
  await userEvent.selectOptions(field('Start with'), 'payouts');
  await userEvent.selectOptions(field('Rows of tables'), 'compact');
  await field('Keyboard shortcuts').click();
  await expect.element(field('Keyboard shortcuts')).not.toBeChecked();
  await expect.element(saving).toHaveTextContent(/^Saved$/);
  expect(server.sentTo(PATCH).map(({ body }) => body)).toEqual([
    { dates: 'iso' },
    { numbers: 'space_comma' },
    { start_screen: 'payouts' },
    { density: 'compact' },
    { shortcuts: false },
  ]);
});

test('a time zone is found by keyboard, and the top bar has it', async () => {
  const { server } = await open();
  await expect.element(zoneOf()).toHaveTextContent(/^UTC$/);
  const opener = page.getByRole('button', { name: /^Time zone: / });
  (opener.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  const search = page.getByRole('combobox', { name: 'Time zone' });
  await expect.element(search).toHaveFocus();
  await expectAccessible();
  await userEvent.keyboard('st john');
  await expect.element(zones).toHaveTextContent('America/St Johns');
  await userEvent.keyboard('{Enter}');
  await expect.element(opener).toHaveAccessibleName('Time zone: America/St Johns');
  await expect.element(opener).toHaveFocus();
  await expect.element(example).toHaveTextContent('Now: Nov 21, 2026, 06:32 GMT-3:30');
  await expect.element(zoneOf()).toHaveTextContent(/^GMT-3:30$/);
  expect(server.sentTo(PATCH).map(({ body }) => body)).toEqual([{ time_zone: 'America/St_Johns' }]);

  // Chosen again, it stays.
  await opener.click();
  await userEvent.keyboard('st john{Enter}');
  await expect.element(opener).toHaveAccessibleName('Time zone: America/St Johns');
  expect(server.sentTo(PATCH)).toHaveLength(1);
});

test('while a change is on its way it counts already, and says so', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await open({
    ...READS_UNDER_WAY,
    [PATCH]: async () => {
      await answered;
      return { success: true, data: { ...PERSON_DEFAULTS, dates: 'day_month' } };
    },
  });
  await userEvent.selectOptions(field('Dates'), 'day_month');
  await expect.element(example).toHaveTextContent('Now: 21 Nov 2026, 10:02 UTC');
  await expect.element(saving).toHaveTextContent('Saving…');
  answer();
  await expect.element(saving).toHaveTextContent(/^Saved$/);
});

test('what the server refuses is put back, with its reason', async () => {
  await open({ ...READS_UNDER_WAY, [PATCH]: refuse(429, 'rate_limited', 'Too many requests.') });
  await userEvent.selectOptions(field('Numbers'), 'point_comma');
  await expect.element(page.getByText('The setting could not be saved')).toBeVisible();
  await expect.element(page.getByText('Too many requests.')).toBeVisible();
  await expect.element(field('Numbers')).toHaveValue('comma_point');
  await expect.element(example).toHaveTextContent('1,234.56 USDT');
  await expect.element(saving).toHaveTextContent(/^Not saved$/);
});

test('of several changes that are refused, what the server has comes back', async () => {
  const answers: (() => void)[] = [];
  await open({
    ...READS_UNDER_WAY,
    [PATCH]: async () => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return refuse(429, 'rate_limited', 'Too many requests.');
    },
  });
  await userEvent.selectOptions(field('Dates'), 'iso');
  await userEvent.selectOptions(field('Dates'), 'day_month');
  await expect.poll(() => answers.length).toBe(2);
  answers[0]?.();
  await expect.poll(() => page.getByText('The setting could not be saved').elements()).toHaveLength(1);
  await expect.element(field('Dates')).toHaveValue('day_month');
  answers[1]?.();
  await expect.element(field('Dates')).toHaveValue('month_day');
});

test('the dashboard is offered to super admins only', async () => {
  const options = () =>
    [...(field('Start with').element() as HTMLSelectElement).options].map(({ label }) => label);
  const { unmount } = await open();
  await expect.element(heading).toBeVisible();
  expect(options()).not.toContain('Super Admin');
  await unmount();
  await open(keeping(), { user: SUPER_ADMIN });
  await expect.element(heading).toBeVisible();
  expect(options()).toContain('Super Admin');
});

test('the theme of the database counts, and a change of it is on screen at once', async () => {
  const isDark = () => document.documentElement.classList.contains('dark');
  localStorage.setItem('darkMode', 'false');
  const stored = { ...PERSON_DEFAULTS, theme: 'dark' } as const;
  const { server } = await open(keeping(stored), { user: { ...STAFF, settings: stored } });
  await expect.poll(isDark).toBe(true);
  // What theme.js reads before the first paint of the next visit.
  expect(localStorage.getItem('darkMode')).toBe('true');
  await userEvent.selectOptions(field('Theme'), 'light');
  await expect.poll(isDark).toBe(false);
  await page.getByRole('button', { name: 'Switch to dark mode' }).click();
  await expect.poll(isDark).toBe(true);
  await expect.element(field('Theme')).toHaveValue('dark');
  await expect
    .poll(() => server.sentTo(PATCH).map(({ body }) => body))
    .toEqual([{ theme: 'light' }, { theme: 'dark' }]);
  await userEvent.selectOptions(field('Theme'), 'system');
  await expect.poll(() => localStorage.getItem('darkMode')).toBeNull();
});

test('on a phone nothing is wider than the screen', async () => {
  await open(keeping(), { width: 390, height: 844 });
  await expect.element(example).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
  await page.getByRole('button', { name: /^Time zone: / }).click();
  await zones.filter({ hasText: 'UTC' }).click();
  await expect.element(zones.first()).not.toBeInTheDocument();
});

test('an admin without providers has settings as well', async () => {
  await open(keeping(), { user: { ...STAFF, providers: [], organizations: [] } });
  await expect.element(heading).toBeVisible();
});

test('a super admin who views as another person cannot open them, and keeps the own theme', async () => {
  const settings = { ...PERSON_DEFAULTS, theme: 'dark', time_zone: 'Europe/Berlin' } as const;
  const user = { ...STAFF, settings, viewed_by: 'super@example.com' };
  await open(READS_UNDER_WAY, { user });
  await expect
    .element(page.getByRole('heading', { name: 'Settings are not changed in a view', level: 1 }))
    .toBeVisible();
  await expect.element(zoneOf()).toHaveTextContent(/^CET$/);
  expect(document.documentElement.classList.contains('dark')).toBe(false);
  await expectAccessible();
});

test('another format is on a screen at once, in rows that have not changed as well', async () => {
  const settings = { ...PERSON_DEFAULTS, time_zone: 'Pacific/Kiritimati', numbers: 'point_comma' } as const;
  // 2026-01-02T10:00:00Z
  const payout = payoutOf(1, { total_amount: '1234.5' });
  await showPayouts({ user: { ...SUPER_ADMIN, settings }, answers: { [LIST]: listOf([payout]) } });
  const row = page.getByRole('grid', { name: 'Payouts' }).getByRole('row').nth(1);
  await expect.element(row).toHaveTextContent('Jan 3, 2026 00:00');
  await expect.element(row).toHaveTextContent('1.234,50');
  personSettings.set({ ...PERSON_DEFAULTS, time_zone: 'America/St_Johns', dates: 'iso' });
  await expect.element(row).toHaveTextContent('2026-01-02 06:30');
  await expect.element(row).toHaveTextContent('1,234.50');
});

test.each([true, false])('single keys act as the person wants them to: %s', async (shortcuts) => {
  await showPayouts({ user: { ...SUPER_ADMIN, settings: { ...PERSON_DEFAULTS, shortcuts } } });
  await expect.element(page.getByRole('grid', { name: 'Payouts' })).toBeVisible();
  await userEvent.keyboard('/');
  expect(document.activeElement instanceof HTMLInputElement).toBe(shortcuts);
});

const MAIL = 'GET /api/me/attention-mail';
const CHANGE_MAIL = 'PATCH /api/me/attention-mail';
const wishes = {
  digest_hour: null,
  at_once: 'nothing' as const,
  channel: 'mail' as const,
  is_possible: true,
  telegram: { is_possible: true, chat: null },
};

test('mails of what waits are chosen, each saved alone, and a refused choice is put back', async () => {
  let isRefused = false;
  const { server } = await open({
    ...keeping({ ...PERSON_DEFAULTS, time_zone: 'America/New_York' }),
    [MAIL]: { success: true, data: wishes },
    [CHANGE_MAIL]: ({ body }: { body: object }) =>
      isRefused ? refuse(503, 'busy', 'Busy') : { success: true, data: { ...wishes, ...body } },
  });
  await expect.element(field('At once')).toHaveValue('nothing');
  await userEvent.selectOptions(field('Each day, what waits for you'), '8');
  await expect.element(field('Each day, what waits for you')).toHaveValue('8');
  await expectAccessible();
  isRefused = true;
  await userEvent.selectOptions(field('At once'), 'approvals');
  await expect.element(page.getByText('The setting could not be saved').first()).toBeVisible();
  await expect.element(field('At once')).toHaveValue('nothing');
  await expect.element(field('Each day, what waits for you')).toHaveValue('8');
  expect(
    server
      .sentTo(CHANGE_MAIL)
      .map(({ body }) => body)
      .slice(0, 2),
  ).toEqual([{ digest_hour: 8 }, { at_once: 'approvals' }]);
});

test('choices that follow each other quickly are all saved, in their order', async () => {
  let kept: object = {};
  const { server } = await open({
    ...keeping(),
    [MAIL]: { success: true, data: wishes },
    [CHANGE_MAIL]: async ({ body }: { body: object }) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      kept = { ...kept, ...body };
      return { success: true, data: { ...wishes, ...kept } };
    },
  });
  await userEvent.selectOptions(field('Each day, what waits for you'), '8');
  await userEvent.selectOptions(field('At once'), 'urgent');
  await expect.element(field('Each day, what waits for you')).toHaveValue('8');
  await expect.element(field('At once')).toHaveValue('urgent');
  await expect.poll(() => server.sentTo(CHANGE_MAIL).length).toBe(2);
  expect(server.sentTo(CHANGE_MAIL).map(({ body }) => body)).toEqual([
    { digest_hour: 8 },
    { at_once: 'urgent' },
  ]);
  await expect.element(page.getByText('Saving…')).not.toBeInTheDocument();
  await expect.element(field('Each day, what waits for you')).toHaveValue('8');
  await expect.element(field('At once')).toHaveValue('urgent');
});

test('without a mail server it says that nothing is mailed', async () => {
  await open({ ...keeping(), [MAIL]: { success: true, data: { ...wishes, is_possible: false } } });
  await expect.element(page.getByText(/No mail server is set up/)).toBeVisible();
});
