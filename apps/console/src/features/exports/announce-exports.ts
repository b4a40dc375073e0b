import type { QueryClient } from '@tanstack/react-query';
import { throttle } from '../../lib/throttle.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { LIST_NAMES, REASONS } from './export-texts.ts';
import { exportsQuery, saveExport } from './exports-queries.ts';

/** A running export changes every second. */
const LOOK_EVERY_MS = 2_000;
const changed = new Set<string>();
/** An event may come twice. */
const announced = new Set<string>();
const looks = new WeakMap<QueryClient, () => void>();

/** After an event about an export: reads the list again, and says once what has ended. */
export function noteExport(client: QueryClient, id: string): void {
  changed.add(id);
  const look = looks.get(client) ?? throttle(() => void announce(client).catch(() => {}), LOOK_EVERY_MS);
  looks.set(client, look);
  look();
}

async function announce(client: QueryClient): Promise<void> {
  const noted = [...changed];
  const rows = await client.fetchQuery({ ...exportsQuery, staleTime: 0 });
  // Those of a list that could not be read are looked for with the next event.
  for (const id of noted) changed.delete(id);
  for (const { id, list, state, reason } of rows) {
    if (!noted.includes(id) || announced.has(id)) continue;
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
