import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { chainWords } from '../../../lib/format/chain-texts.ts';
import { addressHoldWords, capitalised, typeWords } from '../../../lib/format/payout-texts.ts';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { NoteBelow } from '../../../ui/figures/note-below.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { WaitingList } from '../../../ui/form/waiting-list.tsx';
import { payoutsKeys } from '../payouts-keys.ts';
import { type WaitingAddress, waitingAddressesQuery } from '../payouts-queries.ts';
import { OwnerWord } from './owner-word.tsx';

/** New payout addresses that wait for another super admin. For super admins. */
export function WaitingAddresses() {
  const { data, error, refetch } = useQuery(waitingAddressesQuery);
  const [asked, setAsked] = useState<readonly WaitingAddress[] | null>(null);
  const waiting = data?.data ?? [];
  // What its owner disowned is decided about alone.
  const own = waiting.filter(({ refusal, owner_word }) => refusal === null && owner_word?.kind !== 'not_me');
  return (
    <>
      <WaitingList
        isBox
        title="Addresses and referrers to release"
        total={data?.meta.total}
        approve="Release"
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
      {asked && <ReleaseSeveral addresses={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const RELEASE = { address: 'Release address', referrer: 'Release referrer' };
const kindOf = (one: WaitingAddress | undefined) => (one?.referrer ? 'referrer' : 'address');

function ReleaseSeveral({ addresses, onClose }: { addresses: readonly WaitingAddress[]; onClose(): void }) {
  const ids = addresses.map(({ change_id }) => change_id);
  const isDisowned = addresses.some(({ owner_word }) => owner_word?.kind === 'not_me');
  const release = useAct({
    send: (keyOf) =>
      call('POST /api/super-admin/payout-addresses/release', {
        body: { change_ids: ids },
        idempotencyKey: keyOf({ ids }),
      }),
    done: () => ({ title: ids.length === 1 ? 'Released' : `${ids.length} released` }),
    reads: payoutsKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={ids.length === 1 ? RELEASE[kindOf(addresses[0])] : `Release ${ids.length}`}
      text={
        isDisowned
          ? 'Its owner said by Telegram that this address is not theirs. Release it only if the owner told you otherwise, in person or on the phone. If not, enter the right address.'
          : 'Once released, they are paid to after their waiting time. Ask each recipient first, by another channel, whether the address is theirs, and each trader by whom it was referred.'
      }
      isDanger={isDisowned}
      confirm="Release"
      busy="Releasing..."
      {...release}
      onClose={onClose}
    >
      <ul className="mt-3 max-h-64 space-y-1.5 overflow-y-auto rounded-md border border-line p-2.5 text-xs">
        {addresses.map(
          ({
            change_id,
            owner,
            owner_kind,
            referrer,
            address,
            chain,
            previous_address,
            payable_from,
            changed_by,
            owner_word,
          }) => (
            <li key={change_id}>
              <bdi className="font-medium">{owner}</bdi>{' '}
              <span className="text-muted">
                {capitalised(typeWords(owner_kind))} · set by {changed_by}
              </span>
              {referrer && (
                <span className="block">
                  Referred by <bdi className="font-medium">{referrer}</bdi>, who gets a share of its invoices
                </span>
              )}
              {address && <WholeAddress address={address} />}
              {address && <NoteBelow {...chainWords(chain)} />}
              <OwnerWord word={owner_word} />
              {previous_address && (
                <span className="block text-muted">
                  before: <WholeAddress address={previous_address} />
                </span>
              )}
              <span className="block text-muted">{addressHoldWords(payable_from, false)}</span>
            </li>
          ),
        )}
      </ul>
    </AskDialog>
  );
}
