import type { CallAnswer } from '@copydesk/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../../testing/expect-accessible.ts';
import { pass } from '../../../../testing/faked-time.ts';
import type { Answers, Sent } from '../../../../testing/serve-calls.ts';
import {
  AT,
  BALANCES,
  BYBIT,
  balances,
  KUCOIN,
  showTrader,
  TIMED_OUT,
  trader,
} from '../../../../testing/show-trader.ts';

const SECRET = 'plain-secret-of-the-test';
const REVEAL = 'POST /api/traders/{id}/exchange/reveal';
const WHITELIST = 'GET /api/traders/{id}/ip-whitelist';
type Whitelist = CallAnswer<typeof WHITELIST>['data'][number];

const { card, keys } = trader;
const fieldsOf = (sent: readonly Sent[]) => sent.map(({ body }) => (body as { field: string }).field);
/** In every test: the pointer may be where an earlier test left it, over a secret. */
const secrets: Answers = {
  [REVEAL]: ({ body }) => ({ success: true, data: { field: body.field, value: SECRET, reveals_left: 9 } }),
};
const whitelist = (changes: Partial<Whitelist>) => ({
  success: true as const,
  data: [
    {
      exchange: BYBIT.exchange,
      accUid: BYBIT.acc_uid,
      isSupported: true,
      isRestricted: true,
      ips: [],
      accountType: 'subaccount' as const,
      read_at: AT,
      error: null,
      ...changes,
    },
  ],
});

beforeEach(() => {
  vi.useRealTimers();
});

test('a secret is dots until it is revealed, and again on leaving', async () => {
  const { server } = await showTrader({ exchanges: [KUCOIN] }, { answers: secrets });
  const shown = card(KUCOIN);
  const field = shown.getByRole('button', { name: 'Reveal Secret Key' });
  await expect.element(field).toHaveTextContent(/^•{1,32}$/);
  for (const name of ['API Key', 'Secret Key', 'Passphrase'])
    await expect.element(shown.getByText(name, { exact: true })).toBeVisible();
  const asked = () => fieldsOf(server.sentTo(REVEAL));
  const plain = shown.getByText(SECRET);
  const away = page.getByRole('heading', { level: 1 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });

  // Passing over it asks for nothing.
  await field.hover();
  await pass(250);
  await away.hover();
  await pass(1_000);
  expect(asked()).toEqual([]);
  // Nor does a page that comes to lie beneath a pointer at rest.
  field.element().dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  await pass(1_000);
  expect(asked()).toEqual([]);

  await field.hover();
  await pass(300);
  await expect.element(plain).toBeVisible();
  await away.hover();
  await expect.element(plain).not.toBeInTheDocument();

  // Looked at again soon after, it is not asked for again; later it is.
  await field.hover();
  await pass(300);
  await expect.element(plain).toBeVisible();
  expect(asked()).toEqual(['secret_key']);
  await pass(30_000);
  await expect.element(plain).not.toBeInTheDocument();
  await away.hover();
  await field.hover();
  await pass(300);
  await expect.element(plain).toBeVisible();
  expect(asked()).toEqual(['secret_key', 'secret_key']);
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(SECRET);
});

test('the keyboard reveals as the pointer does', async () => {
  await showTrader({}, { answers: secrets });
  const copy = card(BYBIT).getByRole('button', { name: 'Copy API Key' });
  await expect.element(copy).toBeVisible();
  (copy.element() as HTMLElement).focus();
  await userEvent.keyboard('{Tab}');
  await expect.element(card(BYBIT).getByText(SECRET)).toBeVisible();
  await userEvent.keyboard('{Tab}');
  await expect.element(card(BYBIT).getByText(SECRET)).not.toBeInTheDocument();
});

test('allowed addresses are listed, each with a copy', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const ips = Array.from({ length: 12 }, (_, index) => `203.0.113.${index}`);
  await showTrader({}, { answers: { ...secrets, [WHITELIST]: whitelist({ ips }) } });
  await expect.element(card(BYBIT).getByText('12 Allowed IP(s)')).toBeVisible();
  const list = card(BYBIT).getByRole('list', { name: /^Allowed IPs of/ });
  expect(list.element().clientHeight).toBeLessThanOrEqual(8 * 16);
  await list.getByRole('button', { name: 'Copy 203.0.113.3' }).click();
  await expect.poll(() => copied.mock.calls).toEqual([['203.0.113.3']]);
  copied.mockRestore();
});

test('an IP whitelist says whether it is open, closed, unknown or could not be loaded', async () => {
  const { server } = await showTrader(
    {},
    { answers: { ...secrets, [WHITELIST]: whitelist({ ips: ['10.0.0.1'] }) } },
  );
  await expect.element(card(BYBIT).getByText('1 Allowed IP(s)')).toBeVisible();
  for (const [parts, text] of [
    [{ isRestricted: false }, 'Unrestricted (All IPs)'],
    [{ ips: null }, 'IP whitelist not available for this exchange'],
    [{ ips: ['*'] }, 'Unrestricted (All IPs)'],
    [{ isSupported: false, isRestricted: null, ips: null }, 'IP whitelist not available for this exchange'],
    [{ error: TIMED_OUT }, 'Failed to load IP whitelist'],
  ] as const) {
    server.answer({
      [WHITELIST]: whitelist({ ...parts, ips: parts && 'ips' in parts ? parts.ips && [...parts.ips] : [] }),
    });
    await keys.getByRole('button', { name: 'Refresh IP whitelist' }).click();
    await expect.element(card(BYBIT).getByText(text), { message: JSON.stringify(parts) }).toBeVisible();
    await expect.element(card(BYBIT).getByText('Subaccount', { exact: true })).toBeVisible();
    const retries = card(BYBIT).getByRole('button', { name: 'Retry' });
    expect(retries.elements()).toHaveLength(text.startsWith('Failed') ? 1 : 0);
  }
  await expectAccessible();
});

test('a balance that fails says why on its own card, and is tried again', async () => {
  const accounts = [BYBIT, KUCOIN];
  const failing = balances(accounts);
  Object.assign(failing.data[BYBIT.acc_uid] as object, { balance: null, error: TIMED_OUT });
  const { server } = await showTrader(
    { exchanges: accounts },
    { answers: { ...secrets, [BALANCES]: failing, [WHITELIST]: whitelist({ ips: ['10.0.0.1'] }) } },
  );
  const why = card(BYBIT).getByText(TIMED_OUT.message);
  await expect.element(card(BYBIT).getByRole('alert').first()).toHaveTextContent('Failed to load');
  await expect.element(why).toBeVisible();
  expect(card(KUCOIN).getByText(TIMED_OUT.message).elements()).toEqual([]);
  server.answer({ [BALANCES]: balances(accounts) });
  await card(BYBIT).getByRole('button', { name: 'Retry' }).first().click();
  await expect.element(why).not.toBeInTheDocument();
  const before = server.sentTo(BALANCES).length;
  await keys.getByRole('button', { name: 'Refresh balances' }).click();
  await expect.poll(() => server.sentTo(BALANCES)).toHaveLength(before + 1);
  const earlier = server.sentTo(WHITELIST).length;
  await keys.getByRole('button', { name: 'Refresh IP whitelist' }).click();
  await expect.poll(() => server.sentTo(WHITELIST)).toHaveLength(earlier + 1);
});
