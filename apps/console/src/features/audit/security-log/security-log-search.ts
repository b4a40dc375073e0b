import type { RefusalKind } from '@copydesk/contract/audit';
import { REFUSAL_KINDS } from '../../../lib/api/refusal-kinds.ts';
import { defineList } from '../../../lib/list/define-list.ts';
import { among, choice, linked, openChoice, since, until } from '../../../lib/list/filters.ts';

const kinds = Object.entries(REFUSAL_KINDS).map(([kind, label]) => ({ value: kind as RefusalKind, label }));

export const securityLogList = defineList({
  filters: {
    kind: choice('Kind', 'kind', kinds),
    actor: openChoice('Person', 'actor_id', 'people'),
    from: since('Date', 'from'),
    to: until('Date', 'to'),
    address: linked('Network', 'address'),
    code: linked('Code', 'code'),
  },
  rest: { view: among(['security']) },
  kept: ['view'],
  columns: ['last'],
});

/** The security log's part of the parameters of the audit screen. */
export type SecurityLogSearch = ReturnType<typeof securityLogList.read>;
export type SecurityLogFilters = Omit<SecurityLogSearch, 'sort' | 'dir' | 'view' | 'saved'>;
export const {
  read: readSecurityLogSearch,
  wire: wireSecurityLog,
  noFilters: NO_SECURITY_LOG_FILTERS,
} = securityLogList;

/** The filters in the screen's URL. */
export function securityLogFrom(search: Record<string, unknown>): SecurityLogFilters {
  const { sort: _, dir: __, view: ___, saved: ____, ...filters } = securityLogList.read(search);
  return filters;
}
