import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { messageOf } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-store.ts';
import { exportTraders } from './traders-queries.ts';
import type { TraderFilters } from './traders-search.ts';

export function ExportButton({ filters }: { filters: TraderFilters }) {
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const file = await exportTraders(filters);
      toast({ tone: 'positive', title: 'Export ready', text: file });
    } catch (error) {
      toast({ tone: 'negative', title: 'Export failed', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      aria-disabled={isBusy}
      aria-label="Export CSV"
      title="Export CSV"
      onClick={run}
      className="max-sm:w-8 max-sm:px-0!"
    >
      <Download className="size-4" aria-hidden="true" />
      <span className="max-sm:hidden">{isBusy ? 'Exporting...' : 'Export CSV'}</span>
    </Button>
  );
}
