import Download from 'lucide-react/icons/download';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { useCan } from '../../../lib/rights.ts';
import { type ToastItem, toast } from '../../feedback/toast-store.ts';
import { Button } from '../button.tsx';

interface ExportButtonProps {
  /** Saves the file and returns its name. */
  onExport(): Promise<string>;
  /** Exports a long list in the background instead. */
  background?: BackgroundExport | undefined;
  className?: string;
}

/** Begins it, and says so. */
export type BackgroundExport = () => Promise<Pick<ToastItem, 'title' | 'action'>>;

/** Nothing for people whose roles exclude exports. */
export function ExportButton({ onExport, background, className }: ExportButtonProps) {
  return (
    <ExportAct
      begin={background ?? (async () => ({ title: 'Export ready', text: await onExport() }))}
      words="Export CSV"
      className={`max-sm:w-8 max-sm:px-0! ${className ?? ''}`}
    >
      {(words) => (
        <>
          <Download className="size-4" aria-hidden="true" />
          <span className="max-sm:hidden">{words}</span>
        </>
      )}
    </ExportAct>
  );
}

interface ExportActProps {
  begin(): Promise<Pick<ToastItem, 'title' | 'text' | 'action'>>;
  words: string;
  className: string;
  /** What the button shows; without it, the words. */
  children?(words: string): ReactNode;
}

/** Nothing for people whose roles exclude exports. */
export function ExportAct({ begin, words, className, children }: ExportActProps) {
  const [isBusy, setBusy] = useState(false);
  const isAllowed = useCan('data:export');
  const run = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      toast({ tone: 'positive', ...(await begin()) });
    } catch (error) {
      toast({ tone: 'negative', title: 'Export failed', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  if (!isAllowed) return null;
  return (
    <Button aria-disabled={isBusy} aria-label={words} title={words} onClick={run} className={className}>
      {children?.(isBusy ? 'Exporting...' : words) ?? (isBusy ? 'Exporting...' : words)}
    </Button>
  );
}
