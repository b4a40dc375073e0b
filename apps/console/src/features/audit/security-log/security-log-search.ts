import type { RefusalKind } from '@copydesk/contract/audit';
import { REFUSAL_KINDS } from '../../../lib/api/refusal-kinds.ts';
import { among, createListSearch, day, filter } from '../../../lib/url/list-search.ts';
import { text } from '../../../lib/url/search-params.ts';

const LONGEST = 200;
const word = (value: unknown) => text(value, LONGEST);

const list = createListSearch({
  filters: {
    kind: filter(among(Object.keys(REFUSAL_KINDS) as RefusalKind[]), 'kind'),
    code: filter(word, 'code'),
    actor: filter(word, 'actor_id'),
    address: filter(word, 'address'),
    from: filter(day, 'from'),
    to: filter(day, 'to'),
  },
  rest: {},
  columns: ['last'],
});

/** The security log's part of the parameters of the audit screen. */
export type SecurityLogSearch = ReturnType<typeof list.read>;
export type SecurityLogFilters = Omit<SecurityLogSearch, 'sort' | 'dir'>;
export const {
  read: readSecurityLogSearch,
  wire: wireSecurityLog,
  noFilters: NO_SECURITY_LOG_FILTERS,
} = list;

/** The filters in the screen's URL. */
export function securityLogFrom(search: Record<string, unknown>): SecurityLogFilters {
  const { sort: _, dir: __, ...filters } = list.read(search);
  return filters;
}
