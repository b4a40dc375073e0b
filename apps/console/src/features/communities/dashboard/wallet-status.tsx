import Snowflake from 'lucide-react/icons/snowflake';
import { State } from '../../../ui/feedback/state.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Address } from '../../../ui/figures/address.tsx';
import type { AdminCommunity } from '../communities-queries.ts';

const LOOKS = {
  frozen: { tone: 'negative', icon: Snowflake, text: 'Frozen' },
  not_set_up: { tone: 'neutral', icon: undefined, text: 'Not set up yet' },
  no_external: { tone: 'neutral', icon: undefined, text: 'No external address' },
  set_up: { tone: 'positive', icon: undefined, text: 'Set up' },
} as const satisfies Record<WalletStatus, object>;

/** The state of a community's wallets, with the address of ours. */
export function WalletStatusCell({ community, isFrozen }: { community: AdminCommunity; isFrozen: boolean }) {
  const { tone, icon, text } = LOOKS[walletStatus(community.wallets, isFrozen)];
  const { address } = community.wallets.internal;
  return (
    <span className="flex min-w-0 flex-col items-start gap-0.5 max-md:items-end">
      <State tone={tone} icon={icon}>
        {text}
      </State>
      {address ? (
        <span className="inline-flex h-5 items-center text-muted">
          <Address
            address={address}
            what={`internal wallet address of ${community.name}`}
            onCopied={() =>
              toast({
                tone: 'positive',
                title: 'Copied to clipboard',
                text: `Internal wallet of ${community.name}`,
              })
            }
          />
        </span>
      ) : (
        <span className="h-5 text-xs leading-5 text-muted">No address yet</span>
      )}
    </span>
  );
}

type WalletStatus = 'frozen' | 'not_set_up' | 'no_external' | 'set_up';

/** The most urgent state of a community's wallets: ours, which pays, and its own, which receives its share. */
export function walletStatus(
  {
    internal,
    external,
  }: Pick<AdminCommunity['wallets'], 'internal'> & { external: { address: string | null } },
  isFrozen: boolean,
): WalletStatus {
  if (isFrozen) return 'frozen';
  if (internal.address === null) return 'not_set_up';
  return external.address === null ? 'no_external' : 'set_up';
}
