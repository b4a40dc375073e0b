import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Address } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ChangedAddress, ChangedProviderAddress } from './changed-address.tsx';

interface PayoutAddressesPanelProps {
  community: {
    id: string;
    external_wallet_address: string | null;
    referrer_wallet_address: string | null;
    /** Without an id: traders who selected no provider. */
    providers: readonly { id: string | null; display_name: string }[];
  };
  /** Every provider, with its address; undefined while they load. */
  providers: readonly { id: string; payout_address?: string | null }[] | undefined;
}

/** Where the shares of a community's invoices are paid, recipient by recipient. */
export function PayoutAddressesPanel({ community, providers }: PayoutAddressesPanelProps) {
  return (
    <Panel title="Payout Addresses">
      <Facts>
        <Fact label="Community">
          <PayoutAddress of="community" address={community.external_wallet_address} />
          <ChangedAddress communityId={community.id} recipientType="community" />
        </Fact>
        <Fact label="Referrer">
          <PayoutAddress
            of="referrer of the community"
            address={community.referrer_wallet_address}
            missing="Not set: no share"
          />
          <ChangedAddress communityId={community.id} recipientType="community_referrer" />
        </Fact>
        {community.providers.map(({ id, display_name }) =>
          id === null ? null : (
            <Fact
              key={id}
              label={
                <Link
                  to="/providers/$providerId"
                  params={{ providerId: id }}
                  className="rounded hover:text-accent hover:underline"
                >
                  {display_name}
                </Link>
              }
            >
              {providers ? (
                <PayoutAddress
                  of={display_name}
                  address={providers.find((provider) => provider.id === id)?.payout_address ?? null}
                />
              ) : (
                <span className="text-muted">Loading...</span>
              )}
              <ChangedProviderAddress providerId={id} />
            </Fact>
          ),
        )}
      </Facts>
    </Panel>
  );
}

function PayoutAddress({
  of,
  address,
  missing = 'Not set: its shares wait',
}: {
  of: string;
  address: string | null;
  missing?: string;
}): ReactNode {
  if (address === null) return <span className="text-muted">{missing}</span>;
  return <Address address={address} what={`payout address of ${of}`} />;
}
