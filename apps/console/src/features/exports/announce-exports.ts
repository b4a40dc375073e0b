import type { QueryClient } from '@tanstack/react-query';
import { toast } from '../../ui/feedback/toast-store.ts';
import { LIST_NAMES, REASONS } from './export-texts.ts';
import { exportsQuery } from './exports-queries.ts';
import { saveExport } from './exports-table.tsx';

/** An event may come twice. */
const announced = new Set<string>();

/** Says which of these exports have ended, once each. */
export async function announceExports(client: QueryClient, changed: readonly string[]): Promise<void> {
  const rows = await client.fetchQuery({ ...exportsQuery, staleTime: 0 });
  for (const { id, list, state, reason } of rows) {
    if (!changed.includes(id) || announced.has(id)) continue;
    if (state === 'ready')
      toast({
        tone: 'positive',
        title: 'Export ready',
        text: LIST_NAMES[list],
        action: { label: 'Download', onSelect: () => void saveExport(id) },
      });
    else if (state === 'failed')
      toast({
        tone: 'negative',
        title: 'Export failed',
        text: `${LIST_NAMES[list]}: ${reason ? REASONS[reason] : ''}`,
      });
    else continue;
    announced.add(id);
  }
}
