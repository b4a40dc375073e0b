import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  HELD,
  HELD_CHANGE,
  HELD_FROM,
  heldLine,
  numberedAddress,
  pendingOf,
} from '../../../../../../tests/e2e/support/distribute.ts';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { refuse } from '../../../testing/serve-calls.ts';
import { funds, PENDING, showCommunity, toastOf } from '../../../testing/show-community.ts';

const RELEASE = 'POST /api/super-admin/payout-addresses/{id}/release';
const ADDRESS = numberedAddress(0xccc1);
const { opener, dialog, button } = funds;

test('held recipients are listed with the reason, cannot be selected, and are no part of the total', async () => {
  await showCommunity({ answers: { [PENDING]: pendingOf({ held: HELD }) } });
  await opener.click();
  await expect.element(dialog).toHaveTextContent('1,234.56 USDT for 4 recipients');
  await expect.element(dialog).toHaveTextContent('200.00 USDT is held and not part of it');
  const lines = dialog.getByRole('region', { name: 'Held' }).getByRole('listitem');
  expect(lines.elements()).toHaveLength(4);
  await expect.element(lines.nth(0)).toHaveTextContent('Waits for another super admin');
  await expect.element(lines.nth(1)).toHaveTextContent('Waits for another super admin');
  expect(lines.nth(1).getByRole('button', { name: 'Release' }).elements()).toEqual([]);
  await expect.element(lines.nth(2)).toHaveTextContent('Deposit address frozen');
  await expect.element(lines.nth(3)).toHaveTextContent('Not checked against the chain yet');
  for (const line of lines.all()) await expect.element(line.getByRole('checkbox')).toBeDisabled();
  await expectAccessible();
  await button(/^Select All/).click();
  await expect.element(button('Distribute Selected (4)')).toBeVisible();
});

test('a held address is released after a question, which also shows a refusal', async () => {
  let lines = [heldLine({})];
  let isRefused = true;
  const { server } = await showCommunity({
    answers: {
      [PENDING]: () => pendingOf({ totalAmount: '0', recipients: [], held: lines }),
      [RELEASE]: () => {
        if (isRefused) {
          isRefused = false;
          return refuse(403, 'own_release', 'You changed this address.');
        }
        lines = [];
        return { success: true, data: { id: HELD_CHANGE, address: ADDRESS } };
      },
    },
  });
  await opener.click();
  await expect.element(dialog).toHaveTextContent('Nothing is payable now');
  await button('Release').click();
  const question = page.getByRole('dialog', { name: 'Release address' });
  await expect.element(question).toHaveTextContent(`Nobody is paid at ${ADDRESS} before another super admin`);
  await question.getByRole('button', { name: 'Release' }).click();
  await expect.element(question).toHaveTextContent('You changed this address.');
  await question.getByRole('button', { name: 'Release' }).click();
  await expect.element(toastOf('Address released')).toBeVisible();
  expect(server.sentTo(RELEASE).map(({ params }) => params)).toEqual([
    { id: HELD_CHANGE },
    { id: HELD_CHANGE },
  ]);
  await expect.element(dialog).toHaveTextContent('Nothing is pending for distribution');
});

test('community settings say when an address was changed and from when on it is payable', async () => {
  await showCommunity({
    answers: {
      'GET /api/super-admin/communities/{id}/payout-addresses': {
        success: true,
        data: [
          {
            recipient_type: 'community',
            address: ADDRESS,
            changed_at: '2026-11-22T14:05:00.000Z',
            payable_from: HELD_FROM,
            awaits_release: false,
            released_by: 'other@demo.example',
            change_id: null,
            can_release: false,
            chain: { read_at: HELD_FROM, is_contract: false, is_token: false, is_used: false },
          },
        ],
      },
    },
  });
  const wallets = page.getByRole('region', { name: 'Wallets' });
  await expect.element(wallets).toHaveTextContent('Changed Nov 22, 14:05');
  await expect.element(wallets).toHaveTextContent('Payable from Nov 23, 14:05 UTC');
  await expect.element(wallets).toHaveTextContent('No trace on this chain');
  expect(wallets.getByRole('button', { name: 'Release' }).elements()).toEqual([]);
});
