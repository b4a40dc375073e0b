import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { addressHoldWords } from '../../../lib/format/payout-texts.ts';
import { Badge } from '../../../ui/feedback/badge.tsx';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { type Recipient, recipientsQuery } from '../settings-queries.ts';
import { RecipientDialog } from './recipient-dialog.tsx';
import { RECIPIENT_WORDS } from './recipient-texts.ts';

interface RecipientsPanelProps {
  /** The dialog that releases a held address, by its change. */
  release(changeId: string, onClose: () => void): ReactNode;
}

/** The platform's own recipients: where they are paid, and what waits for them. */
export function RecipientsPanel({ release }: RecipientsPanelProps) {
  const { data, error, refetch } = useQuery(recipientsQuery);
  const [changing, setChanging] = useState<Recipient['recipient_type'] | null>(null);
  const [releasing, setReleasing] = useState<string | null>(null);
  const changed = data?.find(({ recipient_type }) => recipient_type === changing);
  return (
    <Panel title="Platform Recipients" flush>
      <QueryState
        small
        error={
          error && !data ? { title: 'The recipients could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading recipients..." />}
        isEmpty={false}
        empty={null}
      >
        <ul aria-label="Platform recipients">
          {data?.map((recipient) => (
            <Row
              key={recipient.recipient_type}
              recipient={recipient}
              onChange={() => setChanging(recipient.recipient_type)}
              onRelease={setReleasing}
            />
          ))}
        </ul>
      </QueryState>
      {changed && <RecipientDialog recipient={changed} onClose={() => setChanging(null)} />}
      {releasing && release(releasing, () => setReleasing(null))}
    </Panel>
  );
}

interface RowProps {
  recipient: Recipient;
  onChange(): void;
  onRelease(changeId: string): void;
}

function Row({ recipient, onChange, onRelease }: RowProps) {
  const { recipient_type, address, pending, payable_from, awaits_release, change_id, can_release } =
    recipient;
  const { label, text } = RECIPIENT_WORDS[recipient_type];
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line px-4 py-3 first:border-t-0">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          {label}
          {address === null && <Badge tone="caution">No address</Badge>}
          {payable_from && <Badge tone="caution">Held</Badge>}
        </h3>
        <p className="text-xs text-muted">{text}</p>
      </div>
      <div className="min-w-0 basis-80 sm:text-end">
        {address ? <WholeAddress address={address} /> : <p className="text-muted">Its shares wait</p>}
        <p className="text-xs text-muted tabular-nums">
          <Money amount={pending} /> not ordered yet
          {payable_from && (
            <span className="block text-caution">{addressHoldWords(payable_from, awaits_release)}</span>
          )}
        </p>
      </div>
      <span className="flex gap-2">
        {address && change_id && can_release && (
          <Button
            className="h-7!"
            aria-label={`Release the address of ${label}`}
            onClick={() => onRelease(change_id)}
          >
            Release
          </Button>
        )}
        <Button className="h-7!" aria-label={`Change the address of ${label}`} onClick={onChange}>
          Change
        </Button>
      </span>
    </li>
  );
}
