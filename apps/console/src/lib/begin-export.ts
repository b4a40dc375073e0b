import type { SelectedRows } from '@copydesk/contract/exports';
import type { ExportList } from '@copydesk/domain/exports';
import { call } from './api/api.ts';
import { formatCount } from './format/numbers.ts';

export interface AskedExport {
  list: ExportList;
  params?: Record<string, string> | undefined;
  /** As the list's own export call takes it. */
  query: object;
  /** The rows of the file, where not all that match. */
  selected?: SelectedRows | undefined;
}

/** Has a worker export a list. @returns the title and the action of the toast */
export async function beginExport({ list, params, query, selected }: AskedExport, onShow: () => void) {
  const set = Object.entries(query).filter(([, value]) => value !== undefined);
  const body = {
    list,
    ...(params && { params }),
    query: Object.fromEntries(set),
    ...(selected && { selected }),
  };
  const { rows_expected: rows } = (await call('POST /api/exports', { body })).data;
  return {
    title: rows === null ? 'Export begun' : `Export begun: ${formatCount(rows)} rows`,
    action: { label: 'Show exports', onSelect: onShow },
  };
}
