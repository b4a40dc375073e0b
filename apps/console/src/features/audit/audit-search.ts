import { defineList } from '../../lib/list/define-list.ts';
import {
  among,
  choice,
  linked,
  openChoice,
  recordOf,
  search,
  since,
  toggle,
  until,
} from '../../lib/list/filters.ts';

/** The kinds of entries, as the filter names them. */
export const KINDS: readonly { value: string; label: string }[] = [
  { value: 'user', label: 'People and sign-in' },
  { value: 'provider', label: 'Providers' },
  { value: 'community', label: 'Communities' },
  { value: 'trader', label: 'Traders' },
  { value: 'exchange', label: 'Exchange accounts' },
  { value: 'invoice', label: 'Invoices' },
  { value: 'invoicing', label: 'Invoicing runs' },
  { value: 'order', label: 'Orders' },
  { value: 'deposit', label: 'Deposits' },
  { value: 'deposit_reading', label: 'Reading of the chain' },
  { value: 'payment', label: 'Payments' },
  { value: 'distribution', label: 'Distributions' },
  { value: 'payout', label: 'Payouts' },
  { value: 'transfer', label: 'Transfers on chain' },
  { value: 'payout_address', label: 'Payout addresses' },
  { value: 'payments', label: 'Stops of payments' },
  { value: 'wallet', label: 'Wallets' },
  { value: 'pool', label: 'Pools' },
  { value: 'harvest', label: 'Harvest cycles' },
  { value: 'harvest_run', label: 'Global harvests' },
  { value: 'exchange_bot', label: 'Exchange bots' },
  { value: 'platform_bot', label: 'Platform bot' },
  { value: 'subscription', label: 'Subscriptions' },
  { value: 'message', label: 'Messages' },
  { value: 'note', label: 'Notes' },
  { value: 'waitlist', label: 'Waiting list' },
  { value: 'service_token', label: 'Service tokens' },
  { value: 'setting', label: 'Platform settings' },
  { value: 'platform_recipient', label: 'Platform recipients' },
  { value: 'attention', label: 'Attention' },
  { value: 'bulk_act', label: 'Bulk acts' },
  { value: 'export', label: 'Exports' },
  { value: 'setup', label: 'Set-up' },
  { value: 'database', label: 'Database' },
  { value: 'credentials', label: 'Keys of the platform' },
];

export const auditList = defineList({
  filters: {
    search: search('search'),
    by: choice('By', 'actor_kind', [
      { value: 'user', label: 'People' },
      { value: 'service', label: 'Programs' },
      { value: 'system', label: 'The system itself' },
    ]),
    kind: openChoice('Kind', 'kind', KINDS),
    decision: toggle('Decisions', 'is_decision'),
    actor: openChoice('Person', 'actor_id', 'people'),
    provider: recordOf('Provider', 'provider_id', 'providers'),
    from: since('Date', 'from'),
    to: until('Date', 'to'),
    targetKind: linked('Object', 'target_kind'),
    target: linked('Id', 'target_id'),
  },
  rest: { view: among(['security']) },
  kept: ['view'],
  columns: ['seq'],
});

/** The parameters of the screen's URL. */
export type AuditSearch = ReturnType<typeof auditList.read>;
export type AuditFilters = Omit<AuditSearch, 'sort' | 'dir' | 'view' | 'saved'>;

/** The filters in the screen's URL. */
export function auditFrom(search: Record<string, unknown>): AuditFilters {
  const { sort: _, dir: __, view: ___, saved: ____, ...filters } = auditList.read(search);
  return filters;
}
export const { read: readAuditSearch, wire: wireAudit, noFilters: NO_AUDIT_FILTERS } = auditList;
