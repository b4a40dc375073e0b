import type { CallInput } from '@copydesk/contract';
import type { EXPORT_CALLS } from '@copydesk/contract/exports';
import { BACKGROUND_ABOVE_ROWS, type ExportList } from '@copydesk/domain/exports';
import { useNavigate } from '@tanstack/react-router';
import { call } from './api/api.ts';
import { viewedUser } from './view-as.ts';

type Query<L extends ExportList> = CallInput<(typeof EXPORT_CALLS)[L]> extends { query: infer Q } ? Q : never;

interface LongList<L extends ExportList> {
  list: L;
  params?: Record<string, string>;
  /** As the list's own export call takes it. */
  query: Query<L>;
  /** Rows of the list; undefined: not known yet. */
  total: number | undefined;
}

/**
 * How a long list is exported: by a worker, which keeps its file.
 * @returns undefined where it is saved at once, because it is short, or because views are read-only
 */
export function useBackgroundExport<L extends ExportList>({ list, params, query, total = 0 }: LongList<L>) {
  const navigate = useNavigate();
  if (total <= BACKGROUND_ABOVE_ROWS || viewedUser() !== null) return undefined;
  return {
    begin: () => beginExport({ list, ...(params && { params }), query: query as object }),
    onShow: () => void navigate({ to: '/exports' }),
  };
}

/** Has a worker export a list. @returns the number of its rows; null: they were not counted */
export async function beginExport(asked: {
  list: ExportList;
  params?: Record<string, string>;
  query: object;
}): Promise<number | null> {
  const set = Object.entries(asked.query).filter(([, value]) => value !== undefined);
  const { data } = await call('POST /api/exports', { body: { ...asked, query: Object.fromEntries(set) } });
  return data.rows_expected;
}
