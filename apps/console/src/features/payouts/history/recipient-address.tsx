import { toast } from '../../../ui/feedback/toast-store.ts';
import { Address } from '../../../ui/figures/address.tsx';

interface RecipientAddressProps {
  address: string;
  tabIndex?: number;
}

/** The recipient of a payout. The words after copying are those of the console spec, section 8. */
export function RecipientAddress({ address, tabIndex }: RecipientAddressProps) {
  return (
    <Address
      address={address}
      what="recipient address"
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onCopied={() =>
        toast({ tone: 'positive', title: 'Address copied', text: 'Recipient address copied to clipboard' })
      }
      copyFailure="Failed to copy address to clipboard"
    />
  );
}
