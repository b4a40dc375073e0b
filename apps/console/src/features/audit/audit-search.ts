import { among, createListSearch, day, filter } from '../../lib/url/list-search.ts';
import { text, uuid } from '../../lib/url/search-params.ts';

const LONGEST_ID = 200;
const word = (value: unknown) => text(value, LONGEST_ID);

const list = createListSearch({
  filters: {
    actor: filter(word, 'actor_id'),
    by: filter(among(['user', 'service', 'system']), 'actor_kind'),
    kind: filter(word, 'kind'),
    targetKind: filter(word, 'target_kind'),
    target: filter(word, 'target_id'),
    provider: filter(uuid, 'provider_id'),
    from: filter(day, 'from'),
    to: filter(day, 'to'),
  },
  rest: { view: among(['security']) },
  columns: ['seq'],
});

/** The parameters of the screen's URL. */
export type AuditSearch = ReturnType<typeof list.read>;
export type AuditFilters = Omit<AuditSearch, 'sort' | 'dir' | 'view'>;

/** The filters in the screen's URL. */
export function auditFrom(search: Record<string, unknown>): AuditFilters {
  const { sort: _, dir: __, view: ___, ...filters } = list.read(search);
  return filters;
}
export const { read: readAuditSearch, wire: wireAudit, noFilters: NO_AUDIT_FILTERS } = list;
