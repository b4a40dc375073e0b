import CircleCheck from 'lucide-react/icons/circle-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { pass } from '../../testing/faked-time.ts';
import { showPart } from '../../testing/show-screen.tsx';
import { InfoTip } from './info-tip.tsx';
import { Loading } from './loading.tsx';
import { MessagePanel } from './message-panel.tsx';
import { QueryState } from './query-state.tsx';
import { toast, toasts } from './toast-store.ts';

const STATE = {
  error: null,
  onRetry: () => {},
  isLoading: false,
  loading: <Loading text="Loading payments..." />,
  isEmpty: false,
  empty: <MessagePanel icon={CircleCheck} title="No payments" text="All are applied" />,
  children: <p>Three payments</p>,
};

test('an error comes before loading, loading before nothing, and nothing before the content', async () => {
  const onRetry = vi.fn();
  const error = { title: 'Could not be loaded', message: 'The server is away.' };
  const { rerender } = await showPart(
    <QueryState {...STATE} error={error} onRetry={onRetry} isLoading isEmpty />,
  );
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server is away.');
  await page.getByRole('button', { name: 'Retry' }).click();
  expect(onRetry).toHaveBeenCalledOnce();
  await expectAccessible();
  await rerender(<QueryState {...STATE} isLoading isEmpty />);
  await expect.element(page.getByText('Loading payments...')).toBeVisible();
  expect(page.getByRole('alert').elements()).toEqual([]);
  await rerender(<QueryState {...STATE} isEmpty />);
  await expect.element(page.getByRole('heading', { name: 'No payments' })).toBeVisible();
  await rerender(<QueryState {...STATE} />);
  await expect.element(page.getByText('Three payments')).toBeVisible();
});

test('a message leaves after five seconds, one with an act after ten; at most five are shown', async () => {
  onTestFinished(() => void vi.useRealTimers());
  await showPart(null);
  // The code of messages is loaded with the first one.
  toast({ tone: 'neutral', title: 'Loaded' });
  await expect.element(page.getByText('Loaded', { exact: true })).toBeVisible();
  toasts.set([]);
  await expect.element(page.getByText('Loaded', { exact: true })).not.toBeInTheDocument();

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const since = Date.now();
  for (let nth = 1; nth <= 6; nth += 1) toast({ tone: 'positive', title: `Message ${nth}` });
  toast({ tone: 'negative', title: 'Archived', action: { label: 'Undo', onSelect: () => {} } });
  const titles = () => toasts.get().map(({ title }) => title);
  expect(titles()).toEqual(['Message 3', 'Message 4', 'Message 5', 'Message 6', 'Archived']);
  // Waiting for what shows moves the faked time.
  await expect.element(page.getByText('Archived', { exact: true })).toBeVisible();
  const shownAt = Date.now();
  await pass(5_000);
  await expect.poll(titles).toEqual(['Archived']);
  await pass(9_900 - (Date.now() - since));
  expect(titles()).toEqual(['Archived']);
  await pass(10_000 - (Date.now() - shownAt));
  expect(titles()).toEqual([]);
});

test('the keyboard opens an explanation each time that it arrives', async () => {
  await showPart(
    <>
      <button type="button">Before</button>
      <InfoTip about="fees" text="Fees of the exchange" />
    </>,
  );
  await page.getByRole('button', { name: 'Before' }).click();
  for (let nth = 0; nth < 3; nth += 1) {
    await userEvent.tab();
    await expect.element(page.getByRole('tooltip')).toHaveTextContent('Fees of the exchange');
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
    await expect.element(page.getByRole('tooltip')).not.toBeInTheDocument();
  }
});
