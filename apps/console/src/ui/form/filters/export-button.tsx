import { formatCount } from '@copydesk/domain/money';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useCan } from '../../../lib/rights.ts';
import { toast } from '../../feedback/toast-store.ts';
import { Button } from '../button.tsx';

interface ExportButtonProps {
  /** Saves the file and returns its name. */
  onExport(): Promise<string>;
  /** In place of that, for a list that takes its time. */
  background?: BackgroundExport | undefined;
  className?: string;
}

export interface BackgroundExport {
  /** Returns the number of rows; null: it is not known. */
  begin(): Promise<number | null>;
  /** Shows what becomes of it. */
  onShow(): void;
}

/** Nothing for people whose roles exclude exports. */
export function ExportButton({ onExport, background, className }: ExportButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const isAllowed = useCan('data:export');
  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      if (background) sayBegun(await background.begin(), background.onShow);
      else toast({ tone: 'positive', title: 'Export ready', text: await onExport() });
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

function sayBegun(rows: number | null, onShow: () => void): void {
  toast({
    tone: 'positive',
    title: rows === null ? 'Export begun' : `Export begun: ${formatCount(rows)} rows`,
    action: { label: 'Show exports', onSelect: onShow },
  });
}
