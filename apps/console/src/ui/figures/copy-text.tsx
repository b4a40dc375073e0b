import { cleanLine, guardFormula } from '@copydesk/domain/text';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { type MouseEvent, useEffect, useState } from 'react';

const FEEDBACK_MS = 2_000;

interface CopyTextProps {
  text: string;
  /** The name of the copied text, for screen readers: "name". */
  what: string;
  tabIndex?: number;
  onFailure(): void;
}

/**
 * The text of a cell that a click copies, guarded against spreadsheets, with a confirmation for two seconds. The click
 * does not propagate.
 */
export function CopyText({ text, what, tabIndex, onFailure }: CopyTextProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (event: MouseEvent) => {
    event.stopPropagation();
    try {
      await navigator.clipboard.writeText(guardFormula(cleanLine(text)));
      setCopied(true);
    } catch {
      onFailure();
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      onClick={copy}
      // Without this, Enter and Space would also reach the row.
      onKeyDown={(event) => event.stopPropagation()}
      aria-label={copied ? 'Copied!' : `${text}, copy ${what}`}
      className="group/copy -mx-1.5 flex h-6 max-w-full items-center gap-1.5 rounded px-1.5 text-start hover:bg-subtle"
    >
      <span className="truncate" aria-live="polite">
        {copied ? 'Copied!' : text}
      </span>
      <Icon
        aria-hidden="true"
        className="size-3 shrink-0 text-muted opacity-0 group-hover/copy:opacity-100 group-focus-visible/copy:opacity-100"
      />
    </button>
  );
}
