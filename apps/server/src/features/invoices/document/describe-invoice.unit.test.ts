import { LANGUAGES, type Language } from '@copydesk/domain/catalogue';
import { afterAll, describe, expect, test } from 'vitest';
import { DEPOSIT_ADDRESS, invoiceFacts } from '../../../../../../tests/support/invoice-facts.ts';
import { readPdf } from '../../../../../../tests/support/read-pdf.ts';
import { createDocuments } from '../../../integrations/documents/create-documents.ts';
import { describeInvoice, type InvoiceDetail, type InvoiceFacts } from './describe-invoice.ts';
import { counted, fill, INVOICE_TEXTS } from './invoice-texts.ts';

const documents = createDocuments();
afterAll(() => documents.close());

const write = (facts: InvoiceFacts, language: Language = 'en') =>
  documents.write('invoice', describeInvoice(facts, language));
const pagesOf = async (facts: InvoiceFacts, language?: Language) => readPdf(await write(facts, language));
const textOf = async (changed: Partial<InvoiceDetail>, isRecalled = false) =>
  (await pagesOf({ ...invoiceFacts(0, changed), isRecalled })).join(' ');
const named = (name: string) => ({
  trader: { id: 't', name, telegram_username: null, reference_number: 'KAIT-7' },
});

describe.each(LANGUAGES)('in %s', (language) => {
  test('the paper has what a trader needs, and nothing of what is not its business', async () => {
    const text = (await pagesOf(invoiceFacts(12), language)).join(' ');
    for (const part of [
      'Ada Lovelace',
      'KAIT-1042',
      '@ada_l',
      'Alpha Traders',
      '132.333334',
      DEPOSIT_ADDRESS,
    ])
      expect(text).toContain(part);
    expect(text).toContain('162.333333333333333334');
    expect(text).toContain('335.00');
    expect(text).toContain('BNB Smart Chain (BEP-20)');
    expect(text).toContain('1000PEPEUSDT');
    for (const foreign of ['88.8888', '77.7777', '66.6666', 'A provider', '0xsplit'])
      expect(text).not.toContain(foreign);
    expect(text).not.toMatch(/[{}]|undefined|null|NaN/);
  });

  test('every text has a value for each of its places, and no other', () => {
    const placesOf = (texts: object): unknown =>
      Object.fromEntries(
        Object.entries(texts)
          .filter(([key]) => !key.startsWith('counted_'))
          .map(([key, text]) => [
            key,
            typeof text === 'string'
              ? [...text.matchAll(/\{\w+\}/g)].map(String).sort()
              : placesOf(text as object),
          ]),
      );
    expect(placesOf(INVOICE_TEXTS[language])).toEqual(placesOf(INVOICE_TEXTS.en));
  });
});

test('Arabic is shaped and runs from the right, figures from the left', async () => {
  const paper = describeInvoice(invoiceFacts(1), 'ar');
  expect(paper.is_rtl).toBe(true);
  const [page = ''] = await pagesOf(invoiceFacts(1), 'ar');
  expect(page).toContain('فاتورة');
  expect(page).toContain('-5.166666666666666666 USDT');
  expect(page).toContain('2026-11-25 03:15');
});

test.each([
  '#panic("x")',
  '*bold* _it_ $x^2$ `raw` <label> @ref',
  '#include "a" #eval("1")',
  '\\u{0} \\#text[a] // b /* c */ = d',
  '"]} #{ } $x {page} %s',
])('the name %s is only a name', async (name) => {
  expect(await textOf(named(name))).toContain(name.replace(/\s+/g, ' '));
});

test('a name without a direction of its own and of any length leaves the rest where it is', async () => {
  for (const name of [
    'x'.repeat(10_000),
    `a\u202e${'b'.repeat(80)}`,
    `\u200b\u200d\ufeff${'👩‍👩‍👧‍👦'.repeat(40)}`,
    '漢字かな한글ไทยאבגD',
    'محمد '.repeat(50),
    `${'e\u0301\u0302\u0303\u0304'.repeat(300)}`,
    'Ω≈ç√∫ \ud83d',
  ]) {
    const pages = await pagesOf(invoiceFacts(3, { ...named(name), community_name: name }));
    expect(pages.join(' ')).toContain(DEPOSIT_ADDRESS);
    expect(pages.join(' ')).not.toContain('\u202e');
    expect(pages.length).toBeLessThanOrEqual(2);
  }
});

test('a name that could send money elsewhere is not printed, as in messages', async () => {
  const text = await textOf(named('Pay to 0xde709f2102306220921060314715629080e2fb77'));
  expect(text).not.toContain('de709f21');
  expect(text).toContain('KAIT-7');
});

test.each([
  ['paid', { status: 'paid', is_paid: true, paid_amount: '162.333334', paid_at: '2026-12-02T05:00:00.000Z' }],
  ['cancelled', { status: 'cancelled' }],
  ['of a pool', { is_of_pool: true }],
  ['archived', { is_archived: true }],
] as [string, Partial<InvoiceDetail>][])('one that is %s has no address to pay', async (_what, changed) => {
  expect(await textOf({})).toContain(DEPOSIT_ADDRESS);
  const text = await textOf(changed);
  expect(text).not.toContain(DEPOSIT_ADDRESS);
  expect(text).not.toContain('To pay');
});

test.each([
  ['Open', { paid_amount: '0' }, false],
  ['Paid in part', {}, false],
  ['Overdue', { is_overdue: true }, false],
  ['Paid', { status: 'paid' }, false],
  ['Cancelled', { status: 'cancelled' }, false],
  ['Taken back', { status: 'cancelled' }, true],
] as [string, Partial<InvoiceDetail>, boolean][])('its state is %s', async (said, changed, isRecalled) => {
  expect(await textOf(changed, isRecalled)).toContain(`Status ${said}`);
});

test('a fee of a pool and an order say their own rule', async () => {
  const cycle: Extract<InvoiceDetail['basis'], { kind: 'cycle' }> = {
    kind: 'cycle',
    ...{ pool_id: 'p', cycle_number: 7, fee_basis: 'net_carry', result: '-12.5', winners: '1' },
    ...{ carried_before: '3', carried_after: '15.5', charged_profit: '0', unexplained: '2' },
  };
  const ofPool = await textOf({ basis: cycle, commission_rate: '0.3', is_of_pool: true });
  expect(ofPool).toContain('30 % of your result of -12.50 USDT in harvest cycle 7');
  expect(ofPool).toContain('Losses left for later cycles 15.50 USDT');
  expect(ofPool).toContain('Other 2.00 USDT');
  const winners = await textOf({ basis: { ...cycle, fee_basis: 'gross_winners' } });
  expect(winners).toContain('in the profit of winning positions of harvest cycle 7');
  expect(winners).not.toContain('Losses');
  const order = { kind: 'order', days: 30, price: '50', discount: '5', unexplained: '0' } as const;
  const ofOrder = await textOf({ basis: order, amount: '45', asked_amount: '45', paid_amount: '0' });
  expect(ofOrder).toContain('A plan of the trading bot for 30 days.');
  expect(ofOrder).toContain('Discount -5.00 USDT');
  // Whole millionths: there is no other amount to send.
  expect(ofOrder).not.toContain('Amount to send');
});

test('a thousand positions repeat their head on each page, and the rest is counted', async () => {
  const facts = invoiceFacts(1_002);
  const pages = await pagesOf(facts);
  expect(pages.length).toBeGreaterThan(10);
  const last = pages.length;
  for (const [at, page] of pages.slice(1, -1).entries()) {
    expect(page).toContain('Account Symbol Side');
    expect(page).toContain(`Page ${at + 2} of ${last}`);
    expect(page).toContain(facts.detail.id);
  }
  expect(pages.at(-1)).toContain('Positions that are not shown here: 2.');
});

test('the same facts are the same bytes', async () => {
  const [one, other] = await Promise.all([write(invoiceFacts(20)), write(invoiceFacts(20))]);
  expect(one?.equals(other as Buffer)).toBe(true);
});

test.each<[Language, number, string]>([
  ['en', 1, '1 closed position'],
  ['pl', 1, '1 zamkniętej pozycji'],
  ['pl', 22, '22 zamkniętych pozycji'],
  ['ru', 21, '21 закрытой позиции'],
  ['ru', 12, '12 закрытым позициям'],
  ['ar', 2, 'صفقتين مغلقتين'],
  ['ar', 11, '11 صفقة مغلقة'],
])('%s counts %i positions', (language, count, said) => {
  expect(counted(language, INVOICE_TEXTS[language].counted_positions, count)).toBe(said);
});

test('a value that looks like a place is a value', () => {
  expect(fill('{a} {b}', { a: '{b}', b: '$&' })).toBe('{b} $&');
});
