import { clsx } from 'clsx';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { toast } from '../feedback/toast-store.ts';

const FEEDBACK_MS = 2_000;

interface CopyButtonProps {
  /** The name of the copied text, for screen readers: "API Key". */
  what: string;
  /** The text, or a request for it. */
  getText(): string | Promise<string>;
  /** In a list: no text before it is pressed. */
  isQuiet?: boolean;
  tabIndex?: number;
  /** Confirms it elsewhere: the button then has its check alone. */
  onCopied?(): void;
  /** What is said when the clipboard refuses, instead of its own words. */
  failure?: string;
}

/** Copies a text that need not be on the screen, and confirms it for two seconds. */
export function CopyButton({ what, getText, isQuiet = false, tabIndex, onCopied, failure }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await navigator.clipboard.writeText(await getText());
      setCopied(true);
      onCopied?.();
    } catch (error) {
      toast({ tone: 'negative', title: 'Copy failed', text: failure ?? messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      onClick={copy}
      aria-disabled={isBusy}
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      title={isQuiet ? `Copy ${what}` : undefined}
      className={clsx(
        'inline-flex h-6 shrink-0 items-center justify-center gap-1 rounded text-xs text-muted hover:bg-subtle hover:text-ink aria-disabled:opacity-60',
        isQuiet ? 'min-w-6 px-1.5' : '-me-1.5 w-16',
      )}
    >
      <Icon className="size-3 shrink-0" aria-hidden="true" />
      <span aria-live="polite" className="empty:hidden">
        {copied ? !onCopied && 'Copied' : !isQuiet && 'Copy'}
      </span>
    </button>
  );
}
