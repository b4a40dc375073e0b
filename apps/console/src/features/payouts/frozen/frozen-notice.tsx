import { useQuery } from '@tanstack/react-query';
import Snowflake from 'lucide-react/icons/snowflake';
import { useState } from 'react';
import { frozenWords } from '../../../lib/format/payout-problem-texts.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Address } from '../../../ui/figures/address.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { type FrozenWallet, frozenWalletsQuery } from '../payouts-queries.ts';
import { UnfreezeDialog } from './unfreeze-dialog.tsx';

interface FrozenNoticeProps {
  /** Restricts the notice to this community's wallet; undefined: all wallets. */
  communityId?: string;
  /** The name of a community, if known. */
  nameOf(communityId: string): string | undefined;
}

/** Wallets listed by name; the rest are counted. */
const SHOWN = 3;

function walletWords({ role, owner_id }: FrozenWallet, nameOf: FrozenNoticeProps['nameOf']): string {
  if (role === 'gas') return 'The wallet that pays for gas';
  if (role === 'deposit') return 'A deposit address';
  if (role === 'pool_deposit') return 'A deposit address of a pool';
  if (role === 'pool_proxy') return 'The proxy wallet of a pool';
  const name = nameOf(owner_id);
  return name ? `The wallet of ${name}` : 'The wallet of a community';
}

/** Frozen wallets, with the way to unfreeze them. For super admins. */
export function FrozenNotice({ communityId, nameOf }: FrozenNoticeProps) {
  const { data } = useQuery(frozenWalletsQuery);
  const [asked, setAsked] = useState<{ wallet: FrozenWallet; name: string } | null>(null);
  const frozen = (data?.data ?? []).filter(
    ({ role, owner_id }) => communityId === undefined || (role === 'community' && owner_id === communityId),
  );
  const more = (communityId === undefined ? (data?.meta.total ?? 0) : frozen.length) - SHOWN;
  if (frozen.length === 0) return null;
  return (
    <div className="grid gap-2">
      {frozen.slice(0, SHOWN).map((wallet) => {
        const name = walletWords(wallet, nameOf);
        return (
          <Notice
            key={wallet.id}
            tone="negative"
            icon={Snowflake}
            isBox
            title={
              <span className="flex flex-wrap items-center gap-x-2">
                {name} is frozen
                <Address address={wallet.address} what="address of the frozen wallet" />
              </span>
            }
            actions={<Button onClick={() => setAsked({ wallet, name })}>Unfreeze</Button>}
          >
            {frozenWords(wallet.frozen_because)} Nothing is sent from it since <When at={wallet.frozen_at} />.
          </Notice>
        );
      })}
      {more > 0 && (
        <p className="text-xs text-muted">
          {more} more {more === 1 ? 'wallet is' : 'wallets are'} frozen.
        </p>
      )}
      {asked && <UnfreezeDialog {...asked} onClose={() => setAsked(null)} />}
    </div>
  );
}
