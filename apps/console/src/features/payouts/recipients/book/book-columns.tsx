import { shortId } from '@copydesk/domain/money';
import type { RecipientState } from '@copydesk/domain/payouts';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { chainWords } from '../../../../lib/format/chain-texts.ts';
import { addressHoldWords, capitalised, typeWords } from '../../../../lib/format/payout-texts.ts';
import type { Tone } from '../../../../ui/feedback/badge.tsx';
import { State } from '../../../../ui/feedback/state.tsx';
import { Address } from '../../../../ui/figures/address.tsx';
import { Count, Name } from '../../../../ui/figures/linked.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { NoteBelow } from '../../../../ui/figures/note-below.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import type { PlainColumn } from '../../../../ui/table/plain-table/plain-column.ts';
import { OwnerWord } from '../../addresses/owner-word.tsx';
import type { Recipient } from '../../payouts-queries.ts';
import { PaidBefore } from '../paid-before.tsx';

export const STATE_LABELS: Record<RecipientState, string> = {
  payable: 'Payable',
  held: 'On hold',
  missing: 'No address',
};
const TONES: Record<RecipientState, Tone> = { payable: 'positive', held: 'caution', missing: 'caution' };

/** A cell of several lines, which a card has at its end. */
const LINES = 'block max-md:text-end md:py-1.5';
/** Those below its first. */
const BELOW = 'block text-xs text-pretty whitespace-normal text-muted';

/** The platform's own recipients are called by their roles. */
const nameOf = ({ owner_kind: kind, owner }: Pick<Recipient, 'owner_kind' | 'owner'>) =>
  kind === 'platform' ? capitalised(typeWords(owner)) : owner;

function OwnerName(recipient: Recipient) {
  const { owner_kind: kind, owner_id: id } = recipient;
  const name = nameOf(recipient);
  if (kind === 'provider')
    return <Name to={{ to: '/providers/$providerId', params: { providerId: id } }}>{name}</Name>;
  if (kind === 'trader')
    return <Name to={{ to: '/trader/$traderId', params: { traderId: id } }}>{name}</Name>;
  if (kind === 'platform') return <Name to={{ to: '/settings' }}>{name}</Name>;
  return (
    <Name
      to={{
        to: '/community-settings/$communityId',
        params: { communityId: id },
        search: { tab: 'money' },
      }}
    >
      {name}
    </Name>
  );
}

/** Two owners of one address may be one person, or a mistake. */
function SharedBy({ shared_by: { count, owners } }: Recipient) {
  if (count === 0) return null;
  const rest = count - owners.length;
  return (
    <span className="block text-xs text-pretty whitespace-normal text-caution">
      Also of{' '}
      {owners.map((other, nth) => (
        <Fragment key={`${other.owner_kind} ${other.owner}`}>
          {nth > 0 && (nth === owners.length - 1 && rest === 0 ? ' and ' : ', ')}
          {other.owner_kind === 'community_referrer' && 'the referrer of '}
          <bdi className="font-medium wrap-anywhere">{nameOf(other)}</bdi>
        </Fragment>
      ))}
      {rest > 0 && (
        <>
          {' '}
          and <Count n={rest} of={['other', 'others']} plain="The search of the address has them" />
        </>
      )}
    </span>
  );
}

/** A payout that arrived proves more than an earlier reading of the chain. */
const isTraceKnown = ({ state, chain, paid_count: count }: Recipient) =>
  state !== 'held' && (chain === null || (count > 0 && !chain.is_used && !chain.is_contract));

function AddressCell(recipient: Recipient) {
  const { address, chain } = recipient;
  if (address === null) return <span className="text-muted">Not set</span>;
  return (
    <span className="block whitespace-normal md:py-1.5">
      <Address isWhole address={address} what={`address of ${nameOf(recipient)}`} />
      {!isTraceKnown(recipient) && <NoteBelow {...chainWords(chain ?? undefined)} />}
      <SharedBy {...recipient} />
    </span>
  );
}

function Since({ changed_at: at, changed_by: by, address, previous_address: previous }: Recipient) {
  if (at === null)
    return <span className="text-xs text-pretty whitespace-normal text-muted">No change on record</span>;
  return (
    <span className={LINES}>
      <When at={at} as="ago" />{' '}
      <span className={`${BELOW} wrap-anywhere`}>
        {address === null ? 'Removed by' : 'by'} {by}
      </span>{' '}
      <span className={BELOW}>
        {previous === null ? (
          address !== null && 'First address'
        ) : (
          <>
            Before:{' '}
            <span className="font-mono" title={previous}>
              {shortId(previous)}
            </span>
          </>
        )}
      </span>
    </span>
  );
}

function StateCell({
  state,
  payable_from: from,
  awaits_release: waits,
  owner_word,
  refusal,
  owed,
}: Recipient) {
  return (
    <span className={`${LINES} whitespace-normal`}>
      <State tone={TONES[state]}>{STATE_LABELS[state]}</State>
      {state === 'held' && <span className={BELOW}>{addressHoldWords(from, waits)}</span>}
      {state === 'held' && (
        <span className="text-xs">
          <OwnerWord word={owner_word} />
        </span>
      )}
      {refusal && <span className={BELOW}>{refusal}</span>}
      {state === 'missing' && owed !== '0' && (
        <span className={BELOW}>Shares made without one wait for it</span>
      )}
    </span>
  );
}

export const bookColumns = (
  onRelease: (changeId: string) => void,
): readonly PlainColumn<Recipient, string>[] => [
  {
    id: 'name',
    header: 'Recipient',
    width: '14%',
    sortable: true,
    onCard: 'lead',
    cell: (recipient) => (
      <span className="block min-w-0 md:py-1.5">
        <bdi className="block truncate" title={nameOf(recipient)}>
          <OwnerName {...recipient} />
        </bdi>{' '}
        <span className={BELOW}>{capitalised(typeWords(recipient.owner_kind))}</span>
      </span>
    ),
  },
  {
    id: 'address',
    header: 'Address',
    width: '22%',
    onCard: 'line',
    cell: (recipient) => <AddressCell {...recipient} />,
  },
  {
    id: 'changed_at',
    header: 'Since',
    width: '13%',
    sortable: true,
    onCard: 'line',
    cell: (recipient) => <Since {...recipient} />,
  },
  {
    id: 'state',
    header: 'State',
    width: '14%',
    onCard: 'line',
    cell: (recipient) => <StateCell {...recipient} />,
  },
  {
    id: 'owed',
    header: 'Owed (USDT)',
    width: '10%',
    align: 'end',
    cell: ({ owed }) => <Money amount={owed} as="bareCents" />,
  },
  {
    id: 'usual',
    header: 'Usual',
    width: '8%',
    align: 'end',
    cell: ({ usual_amount: usual }) => (usual === null ? null : <Money amount={usual} as="bareCents" />),
  },
  {
    id: 'paid',
    header: 'Last paid',
    width: '9%',
    align: 'end',
    cell: (recipient) =>
      recipient.address === null ? null : (
        <span className={`${LINES} whitespace-normal`}>
          {recipient.last_paid_at && <When at={recipient.last_paid_at} as="ago" />}{' '}
          <span className={recipient.last_paid_at ? BELOW : 'text-muted'}>
            <PaidBefore paid={recipient} hidesUsual />
          </span>
        </span>
      ),
  },
  {
    id: 'act',
    header: 'Acts',
    headerCell: <span className="sr-only">Acts</span>,
    width: '10%',
    align: 'end',
    onCard: 'line',
    cell: (recipient) => {
      const { address, change_id: changeId, can_release: mayRelease } = recipient;
      if (address === null) return null;
      return (
        <span className="inline-flex flex-wrap items-center justify-end gap-1.5 md:py-1.5">
          <Link
            to="/transaction-history"
            search={{ search: address }}
            aria-label={`Payouts to ${nameOf(recipient)}`}
            className="inline-flex h-7 items-center rounded-md border border-line-strong bg-surface px-2.5 font-medium whitespace-nowrap hover:bg-hover"
          >
            Payouts
          </Link>
          {mayRelease && changeId && (
            <Button
              className="h-7!"
              aria-label={`Release the address of ${nameOf(recipient)}`}
              onClick={() => onRelease(changeId)}
            >
              Release
            </Button>
          )}
        </span>
      );
    },
  },
];
