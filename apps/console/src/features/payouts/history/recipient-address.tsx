import { shortId } from '@copydesk/domain/money';
import Copy from 'lucide-react/icons/copy';
import { toast } from '../../../ui/feedback/toast-store.ts';

interface RecipientAddressProps {
  address: string;
  tabIndex?: number;
}

/** A shortened address with a button that copies it in full. */
export function RecipientAddress({ address, tabIndex }: RecipientAddressProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      toast({ tone: 'positive', title: 'Address copied', text: 'Recipient address copied to clipboard' });
    } catch {
      toast({ tone: 'negative', title: 'Copy failed', text: 'Failed to copy address to clipboard' });
    }
  };
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="truncate font-mono text-sm" title={address}>
        {shortId(address)}
      </span>
      <button
        type="button"
        tabIndex={tabIndex}
        onClick={copy}
        aria-label="Copy recipient address"
        title="Copy recipient address"
        className="flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
      >
        <Copy className="size-3" aria-hidden="true" />
      </button>
    </span>
  );
}
