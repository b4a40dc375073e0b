import { LANGUAGES } from '@copydesk/domain/catalogue';
import { describe, expect, test } from 'vitest';
import { renderPaymentLink, renderPaymentPage, renderPlan } from './render-payment-link.ts';

const LINK = 'https://console.example.com/community-owner#a-token';

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(['plan', 'unpaid'] as const)(
    'the message about what is %s has its link and no unfilled value',
    (payable) => {
      const facts = { community: 'Alpha <b>', payable, link: LINK };
      const text = renderPaymentLink(facts, { language, name: 'Olga' });
      expect(text).toContain('Olga');
      expect(text).toContain('Alpha &lt;b&gt;');
      expect(text).toContain(`<a href="${LINK}">`);
      expect(text).not.toMatch(/{{|}}|undefined|null/);
    },
  );

  test('the page has all of its words, as plain text', () => {
    const words = Object.values(renderPaymentPage('Alpha <b>', language));
    expect(new Set(words).size).toBe(words.length);
    expect(words.join('\n')).toContain('Alpha <b>');
    expect(words.join('\n')).not.toMatch(/{{|}}|&lt;|undefined|owner_payment/);
  });

  test('a plan has its price, without cents where there are none', () => {
    expect(renderPlan('monthly', '199.00', language)).toContain('$199\u2069');
    expect(renderPlan('yearly', '1990.50', language)).toContain('$1990.50');
  });
});

test('the two messages say different things', () => {
  const to = { language: 'en', name: null } as const;
  const of = (payable: 'plan' | 'unpaid') =>
    renderPaymentLink({ community: 'Alpha', payable, link: LINK }, to);
  expect(of('plan')).toContain('not paid yet');
  expect(of('unpaid')).toContain('failed');
});
