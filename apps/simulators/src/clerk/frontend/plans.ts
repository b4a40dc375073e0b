const fee = (amount: number) => ({
  amount,
  amount_formatted: (amount / 100).toFixed(2),
  currency: 'USD',
  currency_symbol: '$',
});

/** The plans that an instance sells. */
export const planObjects = () => [
  {
    object: 'commerce_plan',
    id: 'cplan_simulated',
    name: 'Community',
    slug: 'community',
    description: 'For each community',
    fee: fee(19_900),
    annual_fee: null,
    annual_monthly_fee: null,
    amount: 19_900,
    amount_formatted: '199.00',
    currency: 'USD',
    currency_symbol: '$',
    is_default: false,
    is_recurring: true,
    has_base_fee: true,
    payer_type: ['user'],
    for_payer_type: 'user',
    publicly_visible: true,
    avatar_url: '',
    free_trial_days: null,
    free_trial_enabled: false,
    features: [],
  },
];
