import { createAnnouncer } from '../../lib/live/announce-ends.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { LIST_NAMES, REASONS } from './export-texts.ts';
import { type Export, exportsQuery, saveExport } from './exports-queries.ts';

export const noteExport = createAnnouncer<Export>({
  read: (client) => client.fetchQuery({ ...exportsQuery, staleTime: 0 }),
  endOf: ({ id, state }) => (state === 'ready' || state === 'failed' ? id : null),
  say({ id, list, state, reason }) {
    const name = LIST_NAMES[list];
    if (state === 'ready')
      toast({
        tone: 'positive',
        title: 'Export ready',
        text: name,
        action: { label: 'Download', onSelect: () => void saveExport(id) },
      });
    else
      toast({
        tone: 'negative',
        title: 'Export failed',
        text: `${name}: ${reason ? REASONS[reason] : ''}`,
      });
  },
});
