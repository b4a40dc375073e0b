import { LANGUAGES } from '@copydesk/domain/catalogue';
import { OWNER_MESSAGE_KINDS } from '@copydesk/domain/messages';
import { describe, expect, test } from 'vitest';
import { renderOwnerNotice } from './render-owner-notice.ts';
import { renderOwnerPage } from './render-owner-page.ts';

const ADDRESS = `0x${'aB'.repeat(20)}`;
const LINK = 'https://console.example.com/pool-owner#a-token';
const facts = { community: 'Alpha <b>', balanceUnits: 1_250n * 10n ** 18n, address: ADDRESS, link: LINK };
const withoutMarks = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(OWNER_MESSAGE_KINDS)('%s contains its facts and no unfilled value', (kind) => {
    const text = renderOwnerNotice(kind, facts, { language, name: 'Olga' });
    expect(text).toContain('Olga');
    expect(withoutMarks(text)).toContain('Alpha &lt;b&gt;');
    expect(text).not.toMatch(/{{|}}|undefined|null/);
    const isAsking = kind !== 'withdrawal_cancelled';
    expect(text.includes(`\u2066<code>${ADDRESS}</code>\u2069`)).toBe(isAsking);
    expect(withoutMarks(text).includes('<code>1250.00</code> USDT')).toBe(isAsking);
    expect(text.includes(`<a href="${LINK}">`)).toBe(isAsking);
  });

  test('the page has plain text', () => {
    const words = renderOwnerPage(facts, language);
    expect(withoutMarks(words.title)).toContain('Alpha <b>');
    expect(withoutMarks(words.ask)).toContain('1250.00 USDT');
    for (const text of Object.values(words)) expect(text).not.toMatch(/{{|}}|undefined|<code>|&lt;/);
  });
});
