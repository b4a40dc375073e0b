import type { CallAnswer, CallInput } from '@copydesk/contract';
import { TYPED_COUNT_ABOVE_ROWS } from '@copydesk/domain/bulk';
import { sumDecimals } from '@copydesk/domain/money';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import Ban from 'lucide-react/icons/ban';
import UserCheck from 'lucide-react/icons/user-check';
import { useMemo } from 'react';
import { call } from '../../../../lib/api/api.ts';
import { ApiError, messageOf } from '../../../../lib/api/api-error.ts';
import { capitalised, typeWords } from '../../../../lib/format/payout-texts.ts';
import { usdt } from '../../../../lib/format/usdt.ts';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { WholeAddress } from '../../../../ui/figures/address.tsx';
import { Fact } from '../../../../ui/figures/fact.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import {
  SelectionDialog,
  SelectionRow,
  SelectionRows,
  useLeftOut,
} from '../../../../ui/form/selection-dialog.tsx';
import { findCountError } from '../../../../ui/form/typed-count.tsx';
import { useDialogForm } from '../../../../ui/form/use-dialog-form.ts';
import { payoutsWord } from '../../payout-texts.ts';
import { payoutHistoryKey } from '../history-queries.ts';
import { RETRY_REASONS } from '../panel/problem-texts.ts';

const PREVIEW = 'POST /api/sweep-operations/retry/preview';
const ORDER = 'POST /api/sweep-operations/retry';
type Preview = CallAnswer<typeof PREVIEW>['data'];
type Row = Preview['rows'][number];
/** Failed payouts by their ids, or all that match. */
export type RetrySelection = CallInput<typeof PREVIEW>['body'];

interface RetryDialogProps {
  selection: RetrySelection;
  onClose(): void;
  /** Called once they are ordered, to clear the selection. */
  onOrdered(): void;
}

/** Shows what paying a selection of payouts again would do to each, and orders it: all of them or none. */
export function RetryDialog({ selection, onClose, onOrdered }: RetryDialogProps) {
  const { leftOut, settled, toggle, ...choice } = useLeftOut<Row>(({ id }) => id);
  const { data, error, isPlaceholderData, refetch } = useQuery(previewQuery(selection, settled));
  const isSettled = data !== undefined && !isPlaceholderData && choice.isSettled;
  const rows = useMemo(() => inOrder(data?.rows ?? [], leftOut), [data, leftOut]);
  const will = data?.will ?? 0;
  const isTyped = will > TYPED_COUNT_ABOVE_ROWS;

  const form = useDialogForm({
    values: { count: '' },
    findErrors: ({ count }) => findCountError(count, isTyped ? will : null),
    send: (_, keyOf) => {
      const asked = data?.rows.filter(({ reason, taken_by: by }) => reason === null && by === null) ?? [];
      const body = {
        payout_ids: asked.map(({ id }) => id),
        expected_count: will,
        expected_amount: data?.amount ?? '0',
      };
      return call(ORDER, { body, idempotencyKey: keyOf(body) });
    },
    done: ({ data: { paid, amount } }) => ({
      title: `${payoutsWord(paid)} ordered again`,
      text: `${usdt(amount)}. Not sent yet.`,
    }),
    reads: payoutHistoryKey,
    onDone: onOrdered,
    onError: (failure) => {
      // The confirmed selection has changed: shows the present one.
      if (failure instanceof ApiError && failure.code === 'payouts_changed') void refetch();
    },
  });

  return (
    <SelectionDialog
      form={form}
      title="Retry payouts"
      text="Each is paid again as it was, at the address below. It is certain that nothing was paid before."
      confirm={isSettled && will > 0 ? `Pay ${usdt(data.amount)} again` : 'Pay again'}
      busy="Ordering..."
      isBlocked={will === 0 || (data?.refusal ?? null) !== null}
      failure={error && !data ? { message: messageOf(error), onRetry: () => void refetch() } : null}
      looking="Looking at the selected payouts..."
      facts={data && <PreviewFacts preview={data} />}
      isSettled={isSettled}
      typed={isTyped ? { wanted: will, of: 'payouts' } : null}
      onClose={onClose}
    >
      {data?.refusal && (
        <Notice tone="caution" icon={Ban} isBox title="You cannot pay these again">
          {data.refusal}
        </Notice>
      )}
      {data?.takes_two && data.refusal === null && (
        <Notice tone="caution" icon={UserCheck} isBox title="You approve these payouts">
          Together they are above the approval limit, and another person has ordered them.
        </Notice>
      )}
      {[...Map.groupBy(rows, ({ community }) => community.id).values()].map((group) => (
        <CommunityRows key={group[0]?.community.id} rows={group} leftOut={leftOut} onToggle={toggle} />
      ))}
    </SelectionDialog>
  );
}

function PreviewFacts({ preview }: { preview: Preview }) {
  const stay = preview.rows.filter(({ reason }) => reason !== null);
  const along = preview.rows.filter(({ taken_by: by }) => by !== null);
  return (
    <>
      <Fact label="Paid again">
        {preview.will === 0 ? (
          'None of these'
        ) : (
          <>
            <strong className="font-semibold">{payoutsWord(preview.will)}</strong>,{' '}
            <Money amount={preview.amount} />
          </>
        )}
      </Fact>
      {along.length > 0 && (
        <Fact label="Of these, with the same deposits">
          {payoutsWord(along.length)}, <Money amount={sumDecimals(along.map(({ amount }) => amount))} />
        </Fact>
      )}
      {stay.length > 0 && (
        <Fact label="Stay as they are">
          {payoutsWord(stay.length)}, <Money amount={sumDecimals(stay.map(({ amount }) => amount))} />
        </Fact>
      )}
    </>
  );
}

interface CommunityRowsProps {
  rows: readonly Row[];
  leftOut: ReadonlyMap<string, Row>;
  onToggle(row: Row): void;
}

/** The payouts of one community. An unticked one is left out of the figures above. */
function CommunityRows({ rows, leftOut, onToggle }: CommunityRowsProps) {
  const name = rows[0]?.community.name ?? '';
  return (
    <section aria-label={name}>
      <h3 className="mb-1 flex justify-between gap-3 font-medium">
        <bdi className="truncate">{name}</bdi>
        <Money
          className="shrink-0 text-muted"
          amount={sumDecimals(rows.filter((row) => isIn(row, leftOut)).map(({ amount }) => amount))}
        />
      </h3>
      <SelectionRows>
        {rows.map((row) => {
          const type = typeWords(row.recipient_type);
          return (
            <SelectionRow
              key={row.id}
              label={`Include ${usdt(row.amount)} to ${type}`}
              isIn={isIn(row, leftOut)}
              isFixed={row.reason !== null || row.taken_by !== null}
              onToggle={() => onToggle(row)}
              end={<Money amount={row.amount} />}
            >
              <span className="block">{capitalised(type)}</span>
              <WholeAddress address={row.recipient_address} className="text-muted" />
              {row.reason !== null && (
                <span className="block text-sm text-caution">{RETRY_REASONS[row.reason]}</span>
              )}
              {row.taken_by !== null && (
                <span className="block text-sm text-muted">Paid with another: the same deposits</span>
              )}
            </SelectionRow>
          );
        })}
      </SelectionRows>
    </section>
  );
}

const isIn = ({ id, reason }: Row, leftOut: ReadonlyMap<string, Row>) => reason === null && !leftOut.has(id);

/** By community and age: a payout that is left out keeps its place. */
const inOrder = (now: readonly Row[], leftOut: ReadonlyMap<string, Row>) =>
  [...now.filter(({ id }) => !leftOut.has(id)), ...leftOut.values()].sort(
    (a, b) => a.community.name.localeCompare(b.community.name) || (a.id < b.id ? -1 : 1),
  );

/** Never older than its dialog: the person confirms what it says. */
function previewQuery({ payout_ids: ids, matching }: RetrySelection, leftOut: ReadonlyMap<string, Row>) {
  const body = matching
    ? { matching: { ...matching, except: [...new Set([...(matching.except ?? []), ...leftOut.keys()])] } }
    : { payout_ids: (ids ?? []).filter((id) => !leftOut.has(id)) };
  return queryOptions({
    queryKey: ['retry-preview', body],
    enabled: body.payout_ids?.length !== 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await call(PREVIEW, { body, signal })).data,
  });
}
