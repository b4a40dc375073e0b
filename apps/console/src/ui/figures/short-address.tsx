import { shortAddress } from '../../lib/format/payout-texts.ts';
import { CopyButton } from './copy-button.tsx';

interface ShortAddressProps {
  address: string;
  /** The name of the address, for screen readers: "recipient address". */
  what: string;
  tabIndex?: number;
}

/** A shortened address that copies in full. */
export function ShortAddress({ address, what, tabIndex }: ShortAddressProps) {
  return (
    <span className="inline-flex items-center gap-0.5">
      <span className="font-mono text-sm" title={address}>
        {shortAddress(address)}
      </span>
      <CopyButton
        what={what}
        getText={() => address}
        isQuiet
        {...(tabIndex === undefined ? {} : { tabIndex })}
      />
    </span>
  );
}
