import { shortId } from '@copydesk/domain/money';
import { CopyButton } from './copy-button.tsx';

interface AddressProps {
  address: string;
  /** Its name, for screen readers: "payee address". */
  what: string;
  tabIndex?: number;
  /** Confirms the copy elsewhere. */
  onCopied?(): void;
  /** What is said when the clipboard refuses. */
  copyFailure?: string;
}

/** An address, or a hash that is an address of its own kind, by its first 6 and last 4 characters; copied in full. */
export function Address({ address, what, tabIndex, onCopied, copyFailure }: AddressProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <span className="truncate font-mono text-sm" title={address}>
        {shortId(address)}
      </span>
      <CopyButton
        what={what}
        getText={() => address}
        isQuiet
        {...(tabIndex === undefined ? {} : { tabIndex })}
        {...(onCopied && { onCopied })}
        {...(copyFailure && { failure: copyFailure })}
      />
    </span>
  );
}
