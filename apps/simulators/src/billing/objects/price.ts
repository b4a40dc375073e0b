import type { Price } from '../prices.ts';

const CREATED = 1_767_225_600;
const PRODUCT = 'prod_community';

export const priceObject = ({ id, interval, amount }: Price) => ({
  id,
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created: CREATED,
  currency: 'usd',
  custom_unit_amount: null,
  livemode: false,
  lookup_key: null,
  metadata: {},
  nickname: null,
  product: PRODUCT,
  recurring: {
    interval,
    interval_count: 1,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  },
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
  unit_amount: amount,
  unit_amount_decimal: String(amount),
});

export const planObject = ({ id, interval, amount }: Price) => ({
  id,
  object: 'plan',
  active: true,
  amount,
  amount_decimal: String(amount),
  billing_scheme: 'per_unit',
  created: CREATED,
  currency: 'usd',
  interval,
  interval_count: 1,
  livemode: false,
  metadata: {},
  meter: null,
  nickname: null,
  product: PRODUCT,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});
