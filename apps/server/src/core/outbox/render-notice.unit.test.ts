import { LANGUAGES, type Language } from '@copydesk/domain/catalogue';
import {
  INVOICE_MESSAGE_KINDS,
  type InvoiceMessageKind,
  KEY_MESSAGE_KINDS,
  WALLET_ANSWER_KINDS,
  WALLET_MESSAGE_KINDS,
  WITHDRAWAL_MESSAGE_KINDS,
} from '@copydesk/domain/messages';
import { describe, expect, test } from 'vitest';
import {
  type NoticeFacts,
  renderKeyNotice,
  renderNotice,
  renderWalletAnswer,
  renderWalletNotice,
  renderWalletQuestion,
  renderWithdrawalNotice,
} from './render-notice.ts';
import { CATALOGUES } from './texts/catalogues.ts';

const USDT = 10n ** 18n;
const ADDRESS = `0x${'aB'.repeat(20)}`;
const PLURALS = /_(zero|one|two|few|many|other)$/;

const facts: NoticeFacts = {
  amountUnits: 1_250n * USDT,
  outstandingUnits: 1_250n * USDT,
  offPlatformUnits: 0n,
  invoiceCount: 1,
  dueAt: new Date('2026-11-24T21:30:00Z'),
  paymentAddress: ADDRESS,
};
const ASKS_NOTHING: ReadonlySet<InvoiceMessageKind> = new Set(['invoice_paid', 'invoice_recalled']);
const placeholders = (text: string) => [...text.matchAll(/{{-? ?(\w+)}}/g)].map(([, name]) => name).sort();
const withoutMarks = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

describe.each(LANGUAGES)('in %s', (language) => {
  const own = CATALOGUES[language];

  test('has the same texts and values as the other languages', () => {
    const wanted = Object.entries(CATALOGUES.en).filter(([key]) => !PLURALS.test(key));
    const given = Object.entries(own).filter(([key]) => !PLURALS.test(key));
    expect(Object.fromEntries(given.map(([key, text]) => [key, placeholders(text)]))).toEqual(
      Object.fromEntries(wanted.map(([key, text]) => [key, placeholders(text)])),
    );
  });

  test('has exactly the plural forms of the language', () => {
    const forms = Object.keys(own).filter((key) => PLURALS.test(key));
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    expect(forms.sort()).toEqual(pluralCategories.map((form) => `unpaid_invoices_${form}`).sort());
    for (const form of forms)
      expect([[], ['count']]).toContainEqual(placeholders((own as Record<string, string>)[form] as string));
  });

  test.each(INVOICE_MESSAGE_KINDS)('%s contains all its facts and no unfilled value', (kind) => {
    const text = renderNotice(kind, facts, { language, name: 'Ada' });
    expect(text).toContain('Ada');
    expect(text).not.toMatch(/{{|}}|undefined|null|_(one|other)/);
    expect(text.length).toBeLessThan(1_000);
    const isAsking = !ASKS_NOTHING.has(kind);
    expect(text.includes(`\u2066<code>${ADDRESS}</code>\u2069`)).toBe(isAsking);
    expect(text.includes('24') && text.includes('21:30 UTC')).toBe(isAsking);
    expect(withoutMarks(text)).toContain('<code>1250.00</code> USDT');
  });

  test.each(INVOICE_MESSAGE_KINDS)('%s asks for whole millionths, the same in every line', (kind) => {
    const dusty = 319203333333333333334n;
    const rest = { ...facts, amountUnits: dusty + 10n * USDT, outstandingUnits: dusty, invoiceCount: 2 };
    for (const given of [rest, { ...rest, amountUnits: dusty }]) {
      const text = renderNotice(kind, given, { language, name: 'Ada' });
      expect(text).not.toMatch(/\.\d{7}/);
      if (!ASKS_NOTHING.has(kind)) expect(text).toContain('319.203334');
      expect(text).not.toContain('319.203333');
    }
  });

  test.each(WALLET_MESSAGE_KINDS)('%s says the ends of the wallet, and no name or whole address', (kind) => {
    for (const units of [1_250n * USDT, null]) {
      const wallet = `0x12${'cD'.repeat(17)}89eF`;
      const text = renderWalletNotice(kind, { wallet, units }, { language });
      expect(text).toContain('\u20660x12cD\u2069');
      expect(text).toContain('\u206689eF\u2069');
      expect(text).not.toContain(wallet);
      expect(text).not.toMatch(/{{|}}|undefined|null/);
      expect(text.includes('1250.00')).toBe(kind === 'withdrawal_ordered' && units !== null);
      expect(text.split('\n')).toHaveLength(4);
    }
  });

  test.each(KEY_MESSAGE_KINDS)('%s names the exchanges, and nothing a person typed', (kind) => {
    const endsAt = kind === 'key_ending' ? new Date('2026-12-03T10:00:00Z') : null;
    const text = renderKeyNotice(kind, { exchanges: ['bybit', 'okx'], endsAt }, { language });
    expect(withoutMarks(text)).toContain('Bybit, OKX');
    // The day, in the digits of the language.
    expect(/2026|٢٠٢٦/.test(text)).toBe(kind === 'key_ending');
    expect(text).not.toMatch(/{{|}}|undefined|null|key_/);
    expect(text.split('\n')).toHaveLength(4);
  });

  test.each(WITHDRAWAL_MESSAGE_KINDS)(
    '%s names the amounts and the network, and nothing a person typed',
    (kind) => {
      const said = (units: bigint | null, availableUnits: bigint) =>
        renderWithdrawalNotice(kind, { units, availableUnits }, { language });
      const isAsking = kind === 'withdrawal_needs_address';
      const refused = said(1_250n * USDT, 900n * USDT);
      for (const text of [refused, said(null, 0n), said(5n * USDT, 0n)]) {
        expect(text).not.toMatch(/{{|}}|undefined|null|withdrawal_/);
        expect(text.includes('BEP-20')).toBe(isAsking);
        expect(text.split('\n')).toHaveLength(4);
      }
      expect(refused.includes('1250.00') && refused.includes('900.00')).toBe(!isAsking);
      expect(said(null, 0n)).not.toContain('0.00');
    },
  );

  test('asks about a changed wallet with the whole address, its earliest day and two buttons', () => {
    const changeId = '00000000-0000-4000-8000-0000000000c1';
    const change = { changeId, wallet: ADDRESS, payableFrom: new Date('2026-11-24T21:30:00Z') };
    const { text, keyboard } = renderWalletQuestion(change, { language });
    expect(text).toContain(`<code>${ADDRESS}</code>`);
    expect(withoutMarks(text)).toContain('21:30 UTC');
    expect(keyboard.flat().map(({ data }) => data)).toEqual([
      `wallet:confirmed:${changeId}`,
      `wallet:not_me:${changeId}`,
    ]);
    for (const { text: label, data } of keyboard.flat()) {
      expect(label).not.toMatch(/button_|^$/);
      expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    }
    const answers = WALLET_ANSWER_KINDS.map((kind) => renderWalletAnswer(kind, change, { language }));
    for (const said of [text, ...answers]) expect(said).not.toMatch(/{{|}}|undefined|null|wallet_/);
    expect(answers.join()).not.toContain(ADDRESS);
  });
});

test.each<[Language, number, string]>([
  ['en', 1, '1 unpaid invoice.'],
  ['en', 2, '2 unpaid invoices.'],
  ['es', 1, '1 factura pendiente'],
  ['es', 5, '5 facturas pendientes'],
  ['pl', 1, '1 nieopłaconą fakturę'],
  ['pl', 3, '3 nieopłacone faktury'],
  ['pl', 5, '5 nieopłaconych faktur'],
  ['pl', 22, '22 nieopłacone faktury'],
  ['pl', 112, '112 nieopłaconych faktur'],
  ['ru', 1, '1 неоплаченный счёт'],
  ['ru', 3, '3 неоплаченных счёта'],
  ['ru', 11, '11 неоплаченных счетов'],
  ['ru', 21, '21 неоплаченный счёт'],
  ['ar', 1, 'فاتورة واحدة'],
  ['ar', 2, 'فاتورتان'],
  ['ar', 3, '3 فواتير'],
  ['ar', 11, '11 فاتورة'],
  ['ar', 100, '100 فاتورة'],
])('%s counts %i invoices as %s', (language, invoiceCount, words) => {
  expect(renderNotice('unpaid_invoices', { ...facts, invoiceCount }, { language, name: null })).toContain(
    words,
  );
});

test.each([
  ['<a href="x">x</a>', '&lt;a href=&quot;x&quot;&gt;x&lt;/a&gt;'],
  ['&lt; & {{amount}} {{- address}}', '&amp;lt; &amp; {{amount}} {{- address}}'],
  ['$t(invoice_paid) $t(greeting', '$t(invoice_paid) $t(greeting'],
  ['$& $1 $$', '$&amp; $1 $$'],
  ['\u202egnidnes\u2066\n\nSend to\u0000', 'gnidnes Send to'],
  [`${'n'.repeat(63)} ${'m'.repeat(500)}`, 'n'.repeat(63)],
])('the name %j is only a name', (name, shown) => {
  const text = renderNotice('invoice_created', facts, { language: 'en', name });
  expect(text.split('\n').slice(0, 2)).toEqual([`Hello \u2068${shown}\u2069,`, '']);
  expect(text).toContain(ADDRESS);
});

test.each([
  '<a href="https://evil.example">x</a>',
  'Pay to 0x52908400098527886E0F7030069857D2E4169EE7',
  '@evil_help',
])('the name %j is not said: it could send money elsewhere', (name) =>
  expect(renderNotice('invoice_paid', facts, { language: 'en', name })).toMatch(/^Hello,\n/),
);

test('a name without visible characters counts as missing', () => {
  expect(renderNotice('invoice_paid', facts, { language: 'en', name: '\u202e \n' })).toMatch(/^Hello,\n/);
});

test.each([
  [1n, '0.000001'],
  [10n ** 16n, '0.01'],
  [10n ** 16n + 1n, '0.010001'],
  [123_456_789_012_345_678_901n, '123.456790'],
  [1_250_500_000_000_000_000n, '1.250500'],
  [10n ** 36n, `${10n ** 18n}.00`],
])('%i units are owed as %s', (outstandingUnits, shown) => {
  const text = renderNotice(
    'unpaid_invoices',
    { ...facts, outstandingUnits },
    { language: 'es', name: null },
  );
  expect(text).toContain(`<code>${shown}</code>`);
});

test('states the amount received and asks for the rest', () => {
  const text = renderNotice(
    'invoice_overdue',
    { ...facts, outstandingUnits: 1_000n * USDT + 1n, offPlatformUnits: 50n * USDT },
    { language: 'en', name: null },
  );
  expect(withoutMarks(text)).toContain(
    'Received so far: <code>249.999999</code> USDT. Still due: <code>1000.000001</code> USDT.\nSettled off-platform: <code>50.00</code> USDT.',
  );
  expect(withoutMarks(text)).toContain('send <code>1000.000001</code> USDT over BNB Smart Chain (BEP-20)');
});

test.each([
  [0n, 'is paid. Thank you!'],
  [
    52n * USDT,
    'Received on chain: <code>1198.00</code> USDT.\nSettled off-platform: <code>52.00</code> USDT.',
  ],
  [1_250n * USDT, 'Thank you!\nSettled off-platform: <code>1250.00</code> USDT.'],
])('of a paid invoice %i units were settled elsewhere', (offPlatformUnits, said) => {
  const paid = { ...facts, outstandingUnits: 0n, offPlatformUnits };
  const text = withoutMarks(renderNotice('invoice_paid', paid, { language: 'en', name: null }));
  expect(text.endsWith(said)).toBe(true);
});

test('without an address, no payment is requested', () => {
  const text = renderNotice(
    'invoice_created',
    { ...facts, paymentAddress: null, dueAt: null },
    {
      language: 'en',
      name: null,
    },
  );
  expect(text).not.toMatch(/send|Due date/);
});
