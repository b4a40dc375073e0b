import { LANGUAGES } from '@copydesk/domain/catalogue';
import { BOT_TEXT_KEYS, type BotReply, findTextProblem } from '@copydesk/domain/exchange-bot';
import { expect, test } from 'vitest';
import { DEFAULT_BOT_TEXTS } from './defaults/defaults.ts';
import { renderReply } from './render-reply.ts';

const reply = (changes: Partial<BotReply>): BotReply => ({
  text: 'welcome',
  values: { bot: 'Ada & <Co>' },
  buttons: [],
  qrText: null,
  ...changes,
});
const invoice = reply({
  text: 'invoice',
  values: {
    plan: 'Month',
    amount: 49n * 10n ** 18n,
    network: 'BNB Smart Chain',
    address: '0xabc',
    until: new Date('2026-03-02T10:00:00Z'),
  },
  qrText: '0xabc',
});

test('every language has every text, in order', () => {
  for (const language of LANGUAGES)
    for (const key of BOT_TEXT_KEYS)
      expect(findTextProblem(key, DEFAULT_BOT_TEXTS[language][key]), `${language} ${key}`).toBeNull();
});

test('values are escaped', () => {
  const { text } = renderReply(reply({}), 'en');
  expect(text).toContain('\u2068Ada &amp; &lt;Co&gt;\u2069');
});

test('an address in what people wrote is not said, and that of an order is', () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const answer = { question: 'Where?', answer: `Pay to ${address}` };
  const { text, keyboard } = renderReply(
    reply({ text: 'answer', values: answer, buttons: [[{ label: { text: 'evil.com' }, data: 'a' }]] }),
    'en',
  );
  expect(text).toContain('Where?');
  expect(text).not.toContain(address.slice(2, 8));
  expect(keyboard[0]?.[0]?.text).toBe('…');
  const order = { ...invoice, values: { ...invoice.values, address, plan: 'evil.com' } };
  expect(renderReply(order, 'en').text).toContain(address);
  expect(renderReply(order, 'en').text).not.toContain('evil');
});

test('an invoice shows amount and address so that a tap copies them', () => {
  const { text, qrText } = renderReply(invoice, 'en');
  expect(text).toContain('<code>49.00</code> USDT');
  expect(text).toContain('<code>0xabc</code>');
  expect(text).toContain('March 2, 2026 at 10:00 UTC');
  expect(qrText).toBe('0xabc');
});

test('a text that is too long for a picture goes without it', () => {
  const long = { ...invoice, values: { ...invoice.values, plan: 'x'.repeat(900) } };
  expect(renderReply(long, 'en').qrText).toBeNull();
});

test('a button shows the price of its plan, cut to a line', () => {
  const plan = { id: 'p', name: 'A very long name '.repeat(10), days: 1, amountUnits: 10n ** 18n };
  const short = { ...plan, name: 'Month' };
  const { keyboard } = renderReply(
    reply({
      buttons: [
        [{ label: { plan: short }, data: 'a' }],
        [{ label: { plan }, data: 'b' }],
        [{ label: 'button_menu', data: 'menu' }],
      ],
    }),
    'es',
  );
  expect(keyboard[0]).toEqual([{ text: 'Month · 1.00 USDT', data: 'a' }]);
  expect(keyboard[1]?.[0]?.text).toHaveLength(60);
  expect(keyboard[2]).toEqual([{ text: 'Menú', data: 'menu' }]);
});
