import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useCan } from '../../../lib/rights.ts';
import { type ToastItem, toast } from '../../feedback/toast-store.ts';
import { Button } from '../button.tsx';

interface ExportButtonProps {
  /** Saves the file and returns its name. */
  onExport(): Promise<string>;
  /** In place of that, for a list that takes its time. */
  background?: BackgroundExport | undefined;
  className?: string;
}

/** Begins it, and says so. */
export type BackgroundExport = () => Promise<Pick<ToastItem, 'title' | 'action'>>;

/** Nothing for people whose roles exclude exports. */
export function ExportButton({ onExport, background, className }: ExportButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const isAllowed = useCan('data:export');
  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const said = background ? await background() : { title: 'Export ready', text: await onExport() };
      toast({ tone: 'positive', ...said });
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
