import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useCan } from '../../../lib/rights.ts';
import { toast } from '../../feedback/toast-store.ts';
import { Button } from '../button.tsx';

/**
 * Nothing for people whose roles exclude exports.
 * @param onExport saves the file and returns its name
 */
export function ExportButton({ onExport, className }: { onExport(): Promise<string>; className?: string }) {
  const [isBusy, setBusy] = useState(false);
  const isAllowed = useCan('data:export');
  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      toast({ tone: 'positive', title: 'Export ready', text: await onExport() });
    } catch (error) {
      toast({ tone: 'negative', title: 'Export failed', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  if (!isAllowed) return null;
  return (
    <Button
      aria-disabled={isBusy}
      aria-label="Export CSV"
      title="Export CSV"
      onClick={run}
      className={`max-sm:w-8 max-sm:px-0! ${className ?? ''}`}
    >
      <Download className="size-4" aria-hidden="true" />
      <span className="max-sm:hidden">{isBusy ? 'Exporting...' : 'Export CSV'}</span>
    </Button>
  );
}
