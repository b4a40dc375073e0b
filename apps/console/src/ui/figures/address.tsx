import { shortId } from '@copydesk/domain/money';
import { clsx } from 'clsx';
import { Fragment } from 'react';
import { CopyButton } from './copy-button.tsx';

interface AddressProps {
  address: string;
  /** Its name, for screen readers: "payee address". */
  what: string;
  /** Where people compare it: all of it is shown. */
  isWhole?: boolean;
  tabIndex?: number;
  /** Confirms the copy elsewhere. */
  onCopied?(): void;
  /** What is said when the clipboard refuses. */
  copyFailure?: string;
}

/**
 * An address, or a hash that is an address of its own kind, by its first 6 and last 4 characters, or whole; copied in
 * full.
 */
export function Address({ address, what, isWhole = false, tabIndex, onCopied, copyFailure }: AddressProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      {isWhole ? (
        <WholeAddress address={address} className="min-w-0 whitespace-normal" />
      ) : (
        <span className="truncate font-mono text-sm" title={address}>
          {shortId(address)}
        </span>
      )}
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

/** `0x`, and four characters each. */
const groupsOf = (address: string) => address.match(/^0x|.{1,4}/g) ?? [];

/**
 * An address whole, as people compare it where money is ordered: in groups of four, which break into lines where these
 * end. The gaps are no characters: what is selected and copied is the address.
 */
export function WholeAddress({ address, className }: { address: string; className?: string }) {
  return (
    <span dir="ltr" className={clsx('inline-block text-start font-mono text-sm', className)}>
      {groupsOf(address).map((group, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups of one address repeat, and never move
        <Fragment key={nth}>
          <span className={nth === 0 ? undefined : 'not-last-of-type:me-[0.7ch]'}>{group}</span>
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}
