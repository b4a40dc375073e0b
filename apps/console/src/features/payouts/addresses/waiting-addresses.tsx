import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { chainWords } from '../../../lib/format/chain-texts.ts';
import { typeWords } from '../../../lib/format/payout-texts.ts';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { NoteBelow } from '../../../ui/figures/note-below.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { WaitingList } from '../../../ui/form/waiting-list.tsx';
import { type WaitingAddress, waitingAddressesQuery } from '../payouts-queries.ts';
import { OwnerWord } from './owner-word.tsx';
import { ReleaseAddresses } from './release-dialog.tsx';

/** New payout addresses that wait for another super admin. For super admins. */
export function WaitingAddresses() {
  const { data, error, refetch } = useQuery(waitingAddressesQuery);
  const [asked, setAsked] = useState<readonly WaitingAddress[] | null>(null);
  const waiting = data?.data ?? [];
  // An address that its owner disowned is decided on its own, not with the others.
  const own = waiting.filter(({ refusal, owner_word }) => refusal === null && owner_word?.kind !== 'not_me');
  return (
    <>
      <WaitingList
        isBox
        title="Addresses and referrers to release"
        total={data?.meta.total}
        approve="Release"
        among={
          <Link to="/recipients" className="rounded text-accent hover:underline">
            All recipients
          </Link>
        }
        failure={error ? { message: messageOf(error), onRetry: () => void refetch() } : undefined}
        {...(own.length > 1 && { all: { label: `Release ${own.length}`, onClick: () => setAsked(own) } })}
        items={waiting.map((address) => ({
          id: address.change_id,
          text: (
            <>
              <strong className="font-semibold">
                <bdi>{address.owner}</bdi>
              </strong>{' '}
              {address.referrer === null ? (
                <>
                  ({typeWords(address.owner_kind)}):{' '}
                  {address.address && <WholeAddress address={address.address} />}
                </>
              ) : (
                <>
                  was referred by <bdi className="font-semibold">{address.referrer}</bdi>
                </>
              )}
              , set by {address.changed_by}, <When at={address.changed_at} />
              {address.address && <NoteBelow {...chainWords(address.chain)} />}
              <OwnerWord word={address.owner_word} />
            </>
          ),
          refusal: address.refusal,
          isDoubtful: address.owner_word?.kind === 'not_me',
          onApprove: () => setAsked([address]),
        }))}
      />
      {asked && <ReleaseAddresses addresses={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
