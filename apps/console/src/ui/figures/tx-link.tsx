import { shortHash } from '@copydesk/domain/money';
import ExternalLink from 'lucide-react/icons/external-link';

interface TxLinkProps {
  hash: string | null;
  /** The purpose of the transaction: "Consolidate". */
  what: string;
  explorerUrl: string;
  tabIndex?: number;
}

/** A transaction by the first characters of its hash, with a link to its page at the block explorer. */
export function TxLink({ hash, what, explorerUrl, tabIndex }: TxLinkProps) {
  if (!hash) return <span className="text-muted">–</span>;
  return (
    <a
      href={`${explorerUrl}/tx/${hash}`}
      target="_blank"
      rel="noopener noreferrer"
      title={hash}
      tabIndex={tabIndex}
      className="inline-flex items-center gap-1 rounded font-mono text-sm text-accent hover:underline"
    >
      {shortHash(hash)}
      <ExternalLink className="size-3 shrink-0" aria-hidden="true" />
      <span className="sr-only"> {what} transaction, opens in a new tab</span>
    </a>
  );
}
