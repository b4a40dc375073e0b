import { shortHash, shortId } from '@copydesk/domain/money';
import { CopyButton } from './copy-button.tsx';

interface ShortHexProps {
  value: string;
  what: string;
  /** A transaction shows only the first characters of its hash. */
  isTransaction?: boolean;
}

/** An address or a hash: shortened, copied in full. */
export function ShortHex({ value, what, isTransaction = false }: ShortHexProps) {
  return (
    <span className="inline-flex items-center gap-1">
      <span className="font-mono text-sm" title={value}>
        {isTransaction ? shortHash(value) : shortId(value)}
      </span>
      <CopyButton what={what} getText={() => value} />
    </span>
  );
}
