import type { CallAnswer } from '@copydesk/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chainWords } from '../../../lib/format/chain-texts.ts';
import { addressHoldWords } from '../../../lib/format/payout-texts.ts';
import { NoteBelow } from '../../../ui/figures/note-below.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { changedAddressesQuery, changedProviderAddressQuery } from '../payouts-queries.ts';
import { ReleaseDialog } from './release-dialog.tsx';

type Changed = NonNullable<CallAnswer<'GET /api/super-admin/providers/{id}/payout-address'>['data']>;

interface ChangedAddressProps {
  communityId: string;
  recipientType: 'community' | 'community_referrer';
}

/** When a payout address of a community was changed, and when payouts to it may start; nothing if it never was. */
export function ChangedAddress({ communityId, recipientType }: ChangedAddressProps) {
  const { data } = useQuery(changedAddressesQuery(communityId));
  const change = data?.find((each) => each.recipient_type === recipientType);
  return change ? <Change change={change} /> : null;
}

/** The same for the payout address of a provider. */
export function ChangedProviderAddress({ providerId }: { providerId: string }) {
  const { data } = useQuery(changedProviderAddressQuery(providerId));
  return data ? <Change change={data} /> : null;
}

function Change({ change }: { change: Changed }) {
  const [isAsked, setAsked] = useState(false);
  const { address, changed_at, payable_from, awaits_release, released_by, change_id, can_release } = change;
  const isHeld = payable_from !== null && address !== null;
  return (
    <span className="block text-xs text-muted tabular-nums">
      Changed <When at={changed_at} />
      {released_by && `, released by ${released_by}`}
      {address !== null && <NoteBelow {...chainWords(change.chain)} />}
      {isHeld && <span className="block text-caution">{addressHoldWords(payable_from, awaits_release)}</span>}
      {isHeld && can_release && (
        <button
          type="button"
          onClick={() => setAsked(true)}
          className="rounded font-medium text-accent hover:underline"
        >
          Release
        </button>
      )}
      {isAsked && isHeld && change_id && (
        <ReleaseDialog changeId={change_id} onClose={() => setAsked(false)} />
      )}
    </span>
  );
}
