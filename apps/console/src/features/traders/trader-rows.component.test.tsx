import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { shownChangeAt } from '../../lib/live/freshness.ts';
import { expectAbout, fakeTime, pass, spyClipboard } from '../../testing/faked-time.ts';
import { never } from '../../testing/serve-calls.ts';
import { idOf } from '../../testing/show-screen.tsx';
import { AT } from '../../testing/show-trader.ts';
import {
  COMMUNITY,
  LIST,
  meta,
  onlyThese,
  referenceOf,
  showTraders,
  traders,
  tradersFor,
} from '../../testing/show-traders.ts';

const { column, first, grid, row, rows } = traders;
const TRADER = 'GET /api/traders/{id}';
const opened = { answers: { [TRADER]: never } };
const focus = (element: Element | null) => (element as HTMLElement).focus();
const isFocused = (index: number) =>
  expect.poll(() => document.activeElement?.getAttribute('aria-rowindex')).toBe(`${index + 2}`);

test('a row opens its trader by click, Enter and Space', async () => {
  for (const open of [
    () => userEvent.click(row(1) as HTMLElement),
    () => userEvent.keyboard('{Enter}'),
    () => userEvent.keyboard(' '),
  ]) {
    const { address, unmount } = await showTraders('?tab=connected', opened);
    await expect.poll(() => row(1)?.textContent).toContain(referenceOf(1));
    focus(row(1));
    await open();
    await expect.poll(address).toBe(`/trader/${idOf(1001)}`);
    await unmount();
  }
});

test('the arrow keys walk through the list, which is one stop of the Tab key', async () => {
  await showTraders('?tab=connected');
  await expect.element(first).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '1051');
  focus(column('Balance').getByRole('button').element());
  await userEvent.keyboard('{Tab}');
  await isFocused(0);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await isFocused(2);
  await userEvent.keyboard('{ArrowUp}');
  await isFocused(1);
  await userEvent.keyboard('{PageDown}');
  await expect.poll(() => document.activeElement?.getAttribute('aria-rowindex')).not.toBe('3');
  await userEvent.keyboard('{End}');
  await isFocused(1049);
  await expect.poll(() => row(1049)?.textContent).toContain(referenceOf(1049));
  const { bottom } = (row(1049) as HTMLElement).getBoundingClientRect();
  expect(bottom).toBeLessThanOrEqual(innerHeight);
  await userEvent.keyboard('{Home}');
  await isFocused(0);
  await expect.element(first).toBeInViewport();
});

test('what the traders in the list have is summed below them, unless the head of the screen says the same', async () => {
  const shown = await showTraders('?tab=delinquent');
  await expect.element(grid).toHaveAttribute('aria-rowcount', '8');
  await expect.element(page.getByText('All that match')).not.toBeInTheDocument();
  await shown.unmount();
  await showTraders('?tab=connected', {
    answers: {
      [LIST]: (sent) => {
        const answer = tradersFor(sent);
        return { ...answer, meta: { ...answer.meta, filtered_aum: '98765.4' } };
      },
    },
  });
  await expect.element(grid.getByText('All that match')).toBeVisible();
  await expect.element(grid.getByText('$98,765')).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-rowcount', '1052');
});

test('scrolling reaches the end, with few rows in the page and few requests', async () => {
  const { server } = await showTraders('?tab=connected');
  await expect.element(first).toBeVisible();
  const scroller = grid.element().parentElement as HTMLElement;
  scroller.scrollTo({ top: scroller.scrollHeight });
  await expect.poll(() => row(1049)?.textContent).toContain(referenceOf(1049));
  await expect.element(grid).toHaveAttribute('aria-rowcount', '1051');
  expect(rows().length).toBeLessThan(60);
  // What was scrolled past is not requested.
  expect(server.sentTo(LIST).length).toBeLessThan(6);
});

test('coming back from a trader finds the list as it was left', async () => {
  const { address } = await showTraders('?tab=connected&sort=reference_number', {
    answers: { [TRADER]: { refusal: 404, error: 'not_found', message: 'Not found' } },
  });
  await expect.element(first).toBeVisible();
  (grid.element().parentElement as HTMLElement).scrollTo({ top: 36 * 60 });
  await expect.poll(() => row(70)?.textContent).toContain('Connected');
  await userEvent.click(row(70) as HTMLElement);
  await page.getByRole('button', { name: 'Back to Traders' }).click();
  await expect.poll(address).toBe('/?tab=connected&sort=reference_number');
  await expect.poll(() => row(70)?.getBoundingClientRect().top).toBeLessThan(innerHeight);
  expect(row(70)?.getBoundingClientRect().top).toBeGreaterThan(0);
});

test('a community name is copied, says so for two seconds, and opens nothing', async () => {
  const copied = spyClipboard();
  const { address } = await showTraders('?tab=connected');
  const name = first.getByRole('button', { name: `${COMMUNITY.name}, copy community name` });
  await expect.element(name).toHaveTextContent(COMMUNITY.name);
  fakeTime();
  await name.click();
  const since = Date.now();
  const done = page.getByRole('button', { name: 'Copied!' });
  await expect.element(done).toHaveTextContent(/^Copied!$/);
  expect(copied.mock.calls).toEqual([[COMMUNITY.name]]);
  await pass(1_900 - (Date.now() - since));
  expect(done.elements()).toHaveLength(1);
  await expect.element(name).toHaveTextContent(COMMUNITY.name);
  expectAbout(Date.now() - since, 2_000);
  expect(done.elements()).toEqual([]);
  expect(address()).toBe('/?tab=connected');
});

test('counts from before a change are requested again', async () => {
  const before = Date.parse(AT);
  const { server } = await showTraders('?tab=delinquent', { answers: { [LIST]: onlyThese([{}]) } });
  await expect.element(first).toBeVisible();
  const asked = () => server.sentTo(LIST).length;
  expect(asked()).toBe(1);
  // As when counting is dear: what was counted before the change is answered once more.
  shownChangeAt.set(before + 1);
  onTestFinished(() => shownChangeAt.set(0));
  const late = onlyThese([], { totals_at: new Date(before + 2).toISOString() });
  const stale = { ...onlyThese([{}]), meta: meta(1) };
  server.answer({ [LIST]: () => (asked() < 3 ? stale : late) });
  await page.getByRole('tab', { name: 'Connected' }).click();
  await expect.element(page.getByRole('heading', { name: 'No traders found' })).toBeVisible();
  expect(asked()).toBeGreaterThanOrEqual(3);
});

test('markup in a reference number is shown as text', async () => {
  const markup = '<img src=x onerror="window.wasRun=1"><b>bold</b>';
  await showTraders('?tab=connected', { answers: { [LIST]: onlyThese([{ reference_number: markup }]) } });
  await expect.element(first).toHaveTextContent(markup);
  expect(document.querySelector('[role=grid] img')).toBeNull();
  expect('wasRun' in window).toBe(false);
});
