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
import type { WaitingAddress } from '../payouts-queries.ts';

const WAITING = 'GET /api/super-admin/payout-addresses';
const RELEASE = 'POST /api/super-admin/payout-addresses/release';
const ADDRESS = numberedAddress(0xccc1);
const { opener, dialog, button } = funds;
const question = page.getByRole('dialog', { name: 'Release address' });

const waiting = (over: Partial<WaitingAddress> = {}) => ({
  success: true as const,
  data: [
    {
      change_id: HELD_CHANGE,
      owner_kind: 'community',
      owner: 'Blue Harbor',
      referrer: null,
      address: ADDRESS,
      previous_address: numberedAddress(0xccc0),
      changed_at: '2026-11-22T14:05:00.000Z',
      payable_from: HELD_FROM,
      awaits_release: true,
      released_by: null,
      changed_by: 'author@demo.example',
      can_release: true,
      chain: { read_at: HELD_FROM, is_contract: false, is_token: false, is_used: false },
      owner_word: null,
      refusal: null,
      ...over,
    } satisfies WaitingAddress,
  ],
  meta: { total: 1 },
});
const none = { success: true as const, data: [] as WaitingAddress[], meta: { total: 0 } };

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
      [WAITING]: () => waiting(),
      [RELEASE]: () => {
        if (isRefused) {
          isRefused = false;
          return refuse(403, 'own_release', 'You changed this address.');
        }
        lines = [];
        return { success: true, data: { released: 1 } };
      },
    },
  });
  await opener.click();
  await expect.element(dialog).toHaveTextContent('Nothing is payable now');
  await button('Release').click();
  // All that is known of it, as where addresses to release are listed.
  await expect.element(question).toHaveTextContent('Blue Harbor');
  await expect.element(question).toHaveTextContent('set by author@demo.example');
  await expect.element(question).toHaveTextContent(`before: ${numberedAddress(0xccc0)}`);
  await expect.element(question).toHaveTextContent('No trace on this chain');
  await expectAccessible();
  await question.getByRole('button', { name: 'Release' }).click();
  await expect.element(question).toHaveTextContent('You changed this address.');
  await question.getByRole('button', { name: 'Release' }).click();
  await expect.element(toastOf('Address released')).toBeVisible();
  const ids = { change_ids: [HELD_CHANGE] };
  expect(server.sentTo(RELEASE).map(({ body }) => body)).toEqual([ids, ids]);
  await expect.element(dialog).toHaveTextContent('Nothing is pending for distribution');
});

test('whoever releases learns that the owner disowned the address, or that another one has decided', async () => {
  let answer: ReturnType<typeof waiting> | typeof none = waiting({
    owner_word: { kind: 'not_me', read_at: HELD_FROM },
  });
  await showCommunity({
    answers: {
      [PENDING]: pendingOf({ totalAmount: '0', recipients: [], held: [heldLine({})] }),
      [WAITING]: () => answer,
    },
  });
  await opener.click();
  await button('Release').click();
  await expect
    .element(question)
    .toHaveTextContent('Its owner said by Telegram that this address is not theirs');
  await question.getByRole('button', { name: 'Back' }).click();
  answer = none;
  await button('Release').click();
  await expect.element(question).toHaveTextContent('It waits no longer');
  await expect
    .element(question.getByRole('button', { name: 'Release' }))
    .toHaveAttribute('aria-disabled', 'true');
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
