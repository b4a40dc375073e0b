import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';

const WHOLE = {
  STRIPE_SECRET_KEY: 'sk_test_canary0123456789',
  STRIPE_WEBHOOK_SECRETS: 'whsec_new01, whsec_old01',
  STRIPE_PRICE_MONTHLY: 'price_month',
  STRIPE_PRICE_YEARLY: 'price_year',
};

test('without any setting of Stripe there is no billing, and with all of them there is', () => {
  expect(readConfig({}).billing).toBeNull();
  expect(readConfig({ ...WHOLE, BILLING_GRACE_DAYS: '3' })).toMatchObject({
    billingGraceDays: 3,
    billing: {
      webhookSecrets: ['whsec_new01', 'whsec_old01'],
      prices: { monthly: 'price_month', yearly: 'price_year' },
      apiUrl: 'https://api.stripe.com',
    },
  });
});

test.each(Object.keys(WHOLE))('%s is missed by its name, and no value is shown', (name) => {
  const given = Object.fromEntries(Object.entries(WHOLE).filter(([other]) => other !== name));
  expect(() => readConfig(given)).toThrow(
    new RegExp(`^The configuration is wrong:\\n {2}${name}: is missing`),
  );
  expect(() => readConfig(given)).not.toThrow(/canary|whsec/);
});

test('a wrong value is named without itself', () => {
  const wrong = { ...WHOLE, STRIPE_SECRET_KEY: 'a canary with spaces' };
  expect(() => readConfig(wrong)).toThrow(/STRIPE_SECRET_KEY/);
  expect(() => readConfig(wrong)).not.toThrow(/canary/);
});
