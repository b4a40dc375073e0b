import { useQuery } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useCallback, useMemo } from 'react';
import { messageOf } from '../../../lib/api/api-error.ts';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { DialogBody, DialogFoot } from '../../../ui/form/dialog.tsx';
import { Awaiting } from '../approval/awaiting.tsx';
import type { PayoutOrder } from '../pay/payout-order.ts';
import { NOBODY_SELECTED, NOTHING_PAYABLE, NOTHING_PENDING, recipientsWord } from '../payout-texts.ts';
import { type Pending, pendingQuery, type RecipientLine } from '../payouts-queries.ts';
import { RecipientTable } from '../recipients/recipient-table.tsx';
import { Held } from './held.tsx';
import { RecipientSkeleton } from './recipient-skeleton.tsx';
import { addressesOf, kept, NO_RECIPIENTS, type Selection, selectedOf, sumOf, toggled } from './selection.ts';
import { Unaddressed } from './unaddressed.tsx';

interface ChooseStepProps {
  communityId: string;
  selection: Selection;
  onSelect(selection: Selection): void;
  /** The pending shares have changed since the earlier choice. */
  isOutdated: boolean;
  onPay(order: PayoutOrder): void;
  onClose(): void;
}

const NO_LINES: readonly RecipientLine[] = [];

function Head({
  pending,
  selection,
  onSelect,
}: Pick<ChooseStepProps, 'selection' | 'onSelect'> & { pending: Pending }) {
  const allRecipients = useMemo(() => addressesOf(pending.recipients), [pending]);
  const isAll = selection.size === allRecipients.size;
  const hasRoles = allRecipients.size < pending.recipients.length;
  return (
    <div className="flex min-h-12 shrink-0 items-center justify-between gap-4 px-4 py-2">
      <div>
        <p className="tabular-nums">
          <strong className="font-semibold">
            <Money amount={pending.totalAmount} />
          </strong>{' '}
          <span className="text-muted">for {recipientsWord(allRecipients.size)}</span>
        </p>
        {pending.held.length > 0 && (
          <p className="text-xs text-muted tabular-nums">
            Payable now. <Money amount={sumOf(pending.held)} /> is held and not part of it.
          </p>
        )}
        {hasRoles && (
          <p className="text-xs text-muted">
            An address with several roles is paid for all of them together.
          </p>
        )}
      </div>
      <Button
        className="h-7! px-2.5! text-xs!"
        onClick={() => onSelect(isAll ? NO_RECIPIENTS : allRecipients)}
      >
        {isAll ? 'Deselect All' : 'Select All'}
      </Button>
    </div>
  );
}

/** The amounts owed, and the choice of recipients to pay. */
export function ChooseStep(props: ChooseStepProps) {
  const { communityId, onSelect, isOutdated, onPay, onClose } = props;
  const { data: pending, error, refetch, isFetching } = useQuery(pendingQuery(communityId));
  const lines = pending?.recipients ?? NO_LINES;
  const selection = useMemo(() => kept(props.selection, lines), [props.selection, lines]);
  const chosen = useMemo(() => sumOf(selectedOf(lines, selection)), [lines, selection]);
  const toggle = useCallback(
    (address: string) => onSelect(toggled(selection, address)),
    [onSelect, selection],
  );
  const isReady = pending !== undefined && lines.length > 0;
  const payAll = () => {
    if (pending && isReady)
      onPay({ kind: 'distribute', communityId, selected: null, expected: pending.totalAmount });
  };
  const paySelected = () => {
    if (selection.size > 0)
      onPay({ kind: 'distribute', communityId, selected: [...selection], expected: chosen });
    else toast({ tone: 'negative', title: NOBODY_SELECTED });
  };
  return (
    <>
      <DialogBody>
        {isOutdated && (
          <Notice tone="caution" icon={RefreshCw} title="Pending shares have changed">
            Nothing was sent. {isFetching ? 'Reading it again...' : 'This list is up to date.'}
          </Notice>
        )}
        <QueryState
          small
          error={
            error && !pending
              ? { title: 'Pending shares could not be loaded', message: messageOf(error) }
              : null
          }
          onRetry={() => void refetch()}
          isLoading={!pending}
          loading={<RecipientSkeleton />}
          isEmpty={false}
          empty={null}
        >
          {pending && (
            <>
              <Awaiting awaiting={pending.awaiting} />
              {lines.length > 0 ? (
                <>
                  <Head pending={pending} selection={selection} onSelect={onSelect} />
                  <RecipientTable
                    label="Pending recipients"
                    lines={lines}
                    selection={selection}
                    onToggle={toggle}
                  />
                </>
              ) : (
                <MessagePanel
                  icon={CircleCheck}
                  level={3}
                  small
                  title={pending.held.length > 0 ? NOTHING_PAYABLE : NOTHING_PENDING}
                  text={
                    pending.held.length > 0
                      ? 'Every recipient is held for now. The list below says why, and until when.'
                      : 'Shares appear here once traders have paid their invoices'
                  }
                />
              )}
              <Held held={pending.held} />
              <Unaddressed unaddressed={pending.unaddressed} />
            </>
          )}
        </QueryState>
      </DialogBody>
      <DialogFoot
        note={
          isReady && (
            <p role="status">
              {selection.size === 0 ? (
                'No recipients selected'
              ) : (
                <>
                  {recipientsWord(selection.size)} selected:{' '}
                  <strong className="font-semibold text-ink">
                    <Money amount={chosen} />
                  </strong>
                </>
              )}
            </p>
          )
        }
      >
        <Button onClick={onClose}>Cancel</Button>
        {isReady && (
          <>
            <Button onClick={paySelected}>Distribute Selected ({selection.size})</Button>
            <Button look="primary" onClick={payAll}>
              Distribute All
            </Button>
          </>
        )}
      </DialogFoot>
    </>
  );
}
