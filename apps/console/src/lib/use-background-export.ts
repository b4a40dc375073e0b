import type { CallInput } from '@copydesk/contract';
import type { EXPORT_CALLS, SelectedRows } from '@copydesk/contract/exports';
import { BACKGROUND_ABOVE_ROWS, type ExportList } from '@copydesk/domain/exports';
import { useNavigate } from '@tanstack/react-router';
import type { AskedExport } from './begin-export.ts';
import { viewedUser } from './view-as.ts';

type Query<L extends ExportList> = CallInput<(typeof EXPORT_CALLS)[L]> extends { query: infer Q } ? Q : never;

interface LongList<L extends ExportList> {
  list: L;
  params?: Record<string, string>;
  query: Query<L> & object;
  /** Rows of the list; undefined: not known yet. */
  total: number | undefined;
}

interface Selection<L extends ExportList> extends Omit<LongList<L>, 'total'> {
  selected: SelectedRows;
}

/**
 * How a long list is exported: by a worker, which keeps its file.
 * @returns undefined where it is saved at once, because it is short, or because views are read-only
 */
export function useBackgroundExport<L extends ExportList>({ total = 0, ...asked }: LongList<L>) {
  const begin = useBegin(asked);
  return total > BACKGROUND_ABOVE_ROWS && viewedUser() === null ? begin : undefined;
}

/** How the selected rows of a list are exported: always by a worker. */
export const useSelectionExport = <L extends ExportList>(asked: Selection<L>) => useBegin(asked);

function useBegin(asked: AskedExport) {
  const navigate = useNavigate();
  return async () => {
    const { beginExport } = await import('./begin-export.ts');
    return beginExport(asked, () => void navigate({ to: '/exports' }));
  };
}
