import type { CallAnswer } from '@copydesk/contract';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { AT, showPayouts } from '../../testing/show-payouts.ts';
import { idOf } from '../../testing/show-screen.tsx';

const READING = 'GET /api/super-admin/deposit-reading';
const RESUME = 'POST /api/super-admin/deposit-reading/resume';
type Reading = CallAnswer<typeof READING>;
const reading = (changes: Partial<Reading['data']>): Reading => ({
  success: true,
  data: {
    ...{ block_number: 100, updated_at: AT, stopped_because: null, late_seconds: null },
    ...{ needs_review: false, set_aside: [], set_aside_count: 0 },
    ...changes,
  },
});
const notice = (text: string) => page.getByRole('status').filter({ hasText: text });
const resume = page.getByRole('button', { name: 'Resume' });

test('a stop of reading deposits says why, and is resumed with a reason', async () => {
  let isStopped = true;
  const { server } = await showPayouts({
    answers: {
      [READING]: () =>
        reading(isStopped ? { stopped_because: 'final block 99 has changed', needs_review: true } : {}),
      [RESUME]: () => {
        isStopped = false;
        return { success: true, data: { block_number: 100 } };
      },
    },
  });
  const stopped = notice('Deposits are not being read');
  await expect.element(stopped).toHaveTextContent('Final block 99 has changed. Last read Jan 2, 10:00.');
  await resume.click();
  const dialog = page.getByRole('dialog', { name: 'Resume reading deposits' });
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await expect.element(dialog).toHaveTextContent('Describe what you found');
  expect(server.sentTo(RESUME)).toEqual([]);
  await dialog.getByLabelText('What was found').fill('The deposits are the same');
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await expect.element(stopped).not.toBeInTheDocument();
  expect(server.sentTo(RESUME).map(({ body }) => body)).toEqual([{ reason: 'The deposits are the same' }]);
});

test('reading that is late says how late, and why', async () => {
  await showPayouts({ answers: { [READING]: reading({ late_seconds: 125 }) } });
  await expect
    .element(notice('Deposits are read late'))
    .toHaveTextContent('The last block that was read is 2 min old');
});

test('a stop that ends without a person offers no Resume; deposits set aside are listed', async () => {
  const deposit: Reading['data']['set_aside'][number] = {
    id: idOf(61),
    trader: { id: idOf(62), reference_number: 'KAIT-77' },
    amount: '12.5',
    from_address: `0x${'11'.repeat(20)}`,
    transaction_hash: `0x${'ab'.repeat(32)}`,
    reason: 'cannot_be_booked',
    created_at: AT,
  };
  await showPayouts({
    answers: {
      [READING]: reading({
        stopped_because: 'the node does not answer',
        set_aside: [deposit],
        set_aside_count: 3,
      }),
    },
  });
  await expect.element(page.getByText('The node does not answer.')).toBeVisible();
  expect(resume.elements()).toEqual([]);
  const listed = page.getByRole('list', { name: 'Deposits set aside' }).getByRole('listitem');
  for (const text of ['KAIT-77', '12.50 USDT', 'The ledger rejected it'])
    await expect.element(listed).toHaveTextContent(text);
  await expect.element(page.getByText('3 deposits were set aside')).toBeVisible();
});
