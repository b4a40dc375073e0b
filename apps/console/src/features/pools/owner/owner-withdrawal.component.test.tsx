import type { CallAnswer } from '@copydesk/contract';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { type Answers, refuse } from '../../../testing/serve-calls.ts';
import { showScreen } from '../../../testing/show-screen.tsx';

const ASKED = 'POST /api/pool-owner/withdrawal';
const DONE = 'POST /api/pool-owner/withdrawal/done';
type Withdrawal = CallAnswer<typeof ASKED>['data'];
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const words: Withdrawal['words'] = {
  title: 'Withdrawal from the pool of Alpha Traders',
  ask: 'Please withdraw all USDT from its Bybit account, about 1000.00 USDT, to this address:',
  all: 'Please withdraw everything, only USDT, and only over this network.',
  report: 'I have withdrawn everything',
  reported: 'Thank you. The account at Bybit is being checked.',
  over: 'No withdrawal is needed from this pool at present.',
};
const awaited: Withdrawal = { language: 'en', state: 'awaited', amount: '1000', address: ADDRESS, words };

/** The token is in the fragment of the address, which no server receives. */
function open(token: string, answers: Answers) {
  location.hash = token;
  onTestFinished(() => history.replaceState(null, '', location.pathname + location.search));
  return showScreen('/pool-owner', { answers });
}

test('an owner without an account reports a withdrawal by the link of a message', async () => {
  const { server } = await open('a-token', {
    [ASKED]: { success: true, data: awaited },
    [DONE]: { success: true, data: { ...awaited, state: 'reported' } },
  });
  await expect.element(page.getByRole('heading', { name: words.title })).toBeVisible();
  await expect.element(page.getByText(ADDRESS)).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: words.report }).click();
  await expect.element(page.getByText(words.reported)).toBeVisible();
  await expectAccessible();
  expect(server.sentTo(ASKED).map(({ body }) => body)).toEqual([{ token: 'a-token' }]);
  expect(server.sentTo(DONE).map(({ body }) => body)).toEqual([{ token: 'a-token' }]);
});

test('the page reads from right to left in Arabic, and says when nothing is awaited', async () => {
  const over = 'لا حاجة إلى سحب أي مبلغ من هذه المحفظة حاليًا.';
  await open('a-token', {
    [ASKED]: {
      success: true,
      data: { language: 'ar', state: 'over', amount: null, address: null, words: { ...words, over } },
    },
  });
  await expect.element(page.getByText(over)).toBeVisible();
  expect(document.querySelector('[lang="ar"]')?.getAttribute('dir')).toBe('rtl');
  await expectAccessible();
});

test('a link that was not made here shows nothing', async () => {
  const { server } = await open('made-up', {
    [ASKED]: refuse(404, 'link_invalid', 'This link is invalid or no longer used'),
  });
  await expect.element(page.getByRole('heading', { name: 'Nothing to report here' })).toBeVisible();
  await expect.element(page.getByText('This link is invalid or no longer used')).toBeVisible();
  expect(server.sentTo(ASKED)).toHaveLength(1);
  await expectAccessible();
});
