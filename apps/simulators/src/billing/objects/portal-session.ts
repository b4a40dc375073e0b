import type { Portal } from '../billing-state.ts';

export const portalObject = ({ id, customer, returnUrl, created }: Portal, baseUrl: string) => ({
  id,
  object: 'billing_portal.session',
  configuration: 'bpc_demo',
  created,
  customer,
  customer_account: null,
  flow: null,
  livemode: false,
  locale: null,
  on_behalf_of: null,
  return_url: returnUrl,
  url: `${baseUrl}/p/session/${id}`,
});
