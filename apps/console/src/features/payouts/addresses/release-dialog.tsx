import { shortId } from '@copydesk/domain/money';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { chainWords } from '../../../lib/format/chain-texts.ts';
import { addressHoldWords, capitalised, typeWords } from '../../../lib/format/payout-texts.ts';
import { momentWords } from '../../../lib/format/read-time.ts';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { NoteBelow } from '../../../ui/figures/note-below.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { UnreadDialog } from '../../../ui/form/unread-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { payoutsKeys } from '../payouts-keys.ts';
import { type WaitingAddress, waitingAddressQuery } from '../payouts-queries.ts';
import { OwnerWord } from './owner-word.tsx';

const RELEASE = { address: 'Release address', referrer: 'Release referrer' };
const RELEASED = { address: 'Address released', referrer: 'Referrer released' };
const ADVICE = {
  address:
    'Once released, it is paid to after its waiting time. Ask its recipient first, by another channel, whether the address is theirs.',
  referrer:
    'Once released, it is paid to after its waiting time. Ask the trader who was referred first, by another channel, by whom it was.',
  several:
    'Once released, they are paid to after their waiting time. Ask each recipient first, by another channel, whether the address is theirs, and each trader by whom it was referred.',
};
const kindOf = (one: WaitingAddress | undefined) => (one?.referrer ? 'referrer' : 'address');

function releasedWords(addresses: readonly WaitingAddress[]): { title: string; text?: string } {
  const [one, ...others] = addresses;
  if (!one || others.length > 0) return { title: `${addresses.length} released` };
  const isLater = one.payable_from !== null && Date.parse(one.payable_from) > Date.now();
  const from = isLater ? `from ${momentWords(one.payable_from ?? '')}` : 'now';
  return {
    title: RELEASED[kindOf(one)],
    ...(one.address && { text: `${shortId(one.address)} can be paid to ${from}` }),
  };
}

/** Releases new payout addresses and referrers; the author of a change cannot. */
export function ReleaseAddresses({
  addresses,
  onClose,
}: {
  addresses: readonly WaitingAddress[];
  onClose(): void;
}) {
  const ids = addresses.map(({ change_id }) => change_id);
  const isDisowned = addresses.some(({ owner_word }) => owner_word?.kind === 'not_me');
  const release = useAct({
    send: (keyOf) =>
      call('POST /api/super-admin/payout-addresses/release', {
        body: { change_ids: ids },
        idempotencyKey: keyOf({ ids }),
      }),
    done: () => releasedWords(addresses),
    reads: payoutsKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={ids.length === 1 ? RELEASE[kindOf(addresses[0])] : `Release ${ids.length}`}
      text={
        isDisowned
          ? 'Its owner said by Telegram that this address is not theirs. Release it only if the owner told you otherwise, in person or on the phone. If not, enter the right address.'
          : ADVICE[ids.length === 1 ? kindOf(addresses[0]) : 'several']
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

/**
 * The same for one change, wherever it is met: the person who is asked to release it sees all that is known
 * of it.
 */
export function ReleaseDialog({ changeId, onClose }: { changeId: string; onClose(): void }) {
  const { data, error, isFetchedAfterMount } = useQuery(waitingAddressQuery(changeId));
  if (data && isFetchedAfterMount) return <ReleaseAddresses addresses={[data]} onClose={onClose} />;
  const isGone = data === null && isFetchedAfterMount;
  return (
    <UnreadDialog
      title="Release address"
      confirm="Release"
      busy="Releasing..."
      gone={isGone ? 'It waits no longer: it was released or replaced meanwhile.' : null}
      error={error ? messageOf(error) : null}
      onClose={onClose}
    />
  );
}
