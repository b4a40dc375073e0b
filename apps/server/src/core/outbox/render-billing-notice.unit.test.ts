import { BILLING_REMINDERS } from '@copydesk/domain/billing';
import { LANGUAGES } from '@copydesk/domain/catalogue';
import { describe, expect, test } from 'vitest';
import { renderBillingNotice } from './render-billing-notice.ts';

const facts = {
  community: 'Alpha <b>',
  at: new Date('2026-11-24T21:30:00Z'),
  link: 'https://console.example.com/community-owner#a-token',
};

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(BILLING_REMINDERS)('%s contains its facts and no unfilled value', (kind) => {
    const text = renderBillingNotice(kind, facts, { language, name: 'Olga' });
    expect(text).toContain('Olga');
    expect(text).toContain('Alpha &lt;b&gt;');
    expect(text).toContain('2026');
    expect(text).toContain('21:30 UTC');
    expect(text.includes(`<a href="${facts.link}">`)).toBe(kind !== 'trial_ending');
    expect(text).not.toMatch(/{{|}}|undefined|null/);
  });
});
