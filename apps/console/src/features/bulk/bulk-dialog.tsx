import { TYPED_COUNT_ABOVE_ROWS } from '@copydesk/domain/bulk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../lib/api/api.ts';
import { ApiError, messageOf } from '../../lib/api/api-error.ts';
import { listName } from '../../lib/format/trader-name.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { Fact } from '../../ui/figures/fact.tsx';
import { Count } from '../../ui/figures/linked.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { SelectionDialog, SelectionRow, SelectionRows, useLeftOut } from '../../ui/form/selection-dialog.tsx';
import { findCountError } from '../../ui/form/typed-count.tsx';
import { useDialogForm } from '../../ui/form/use-dialog-form.ts';
import { askedOf, bulkKey, type ChosenAct, type Preview, previewQuery, stopAct } from './bulk-queries.ts';
import { REASONS, tradersWord, wordsOf } from './bulk-texts.ts';

interface BulkDialogProps {
  chosen: ChosenAct;
  onClose(): void;
  /** The act is ordered: the selection has served. */
  onOrdered(): void;
}

type Row = Preview['rows'][number];

/** Shows what an act would do to each trader of a selection, and orders it. */
export default function BulkDialog({ chosen, onClose, onOrdered }: BulkDialogProps) {
  const client = useQueryClient();
  const { leftOut, settled, toggle, ...choice } = useLeftOut<Row>(({ trader_id }) => trader_id);
  const { data, error, isPlaceholderData, refetch } = useQuery(previewQuery(chosen, settled));
  const isSettled = data !== undefined && !isPlaceholderData && choice.isSettled;
  // Rows that were left out stay in view, to be taken in again.
  const [rows, setRows] = useState<Preview['rows'] | null>(null);
  if (data && rows === null) setRows(data.rows);
  const words = wordsOf(chosen.act, chosen.status);
  const will = data?.will ?? 0;
  const isTyped = will > TYPED_COUNT_ABOVE_ROWS;

  const form = useDialogForm({
    values: { count: '' },
    findErrors: ({ count }) => findCountError(count, isTyped ? will : null),
    send: async (_, keyOf) => {
      const body = { ...askedOf(chosen, settled), expected_count: will };
      return (await call('POST /api/bulk-acts', { body, idempotencyKey: keyOf(body) })).data;
    },
    done: () => null,
    reads: bulkKey,
    onDone: (act) => {
      const isHeld = act.begins_at !== act.created_at;
      toast({
        tone: 'positive',
        title: `${words.title}: ${tradersWord(will)}`,
        text: isHeld ? 'Begins in ten seconds.' : 'Begins at once.',
        ...(isHeld && {
          action: { label: 'Undo', of: act.id, onSelect: () => void stopAct(client, act.id) },
        }),
      });
      onOrdered();
    },
    onError: (failure) => {
      // The confirmed selection has changed: shows the present one.
      if (failure instanceof ApiError && failure.code === 'bulk_selection_changed') {
        setRows(null);
        void refetch();
      }
    },
  });

  return (
    <SelectionDialog
      form={form}
      title={words.title}
      text={words.means}
      confirm={isSettled && will > 0 ? `${words.title}: ${tradersWord(will)}` : words.title}
      busy={words.busy}
      isBlocked={will === 0}
      failure={error && !data ? { message: messageOf(error), onRetry: () => void refetch() } : null}
      looking="Looking at the selected traders..."
      facts={data && <PreviewFacts preview={data} />}
      isSettled={isSettled}
      typed={isTyped ? { wanted: will, of: 'traders' } : null}
      onClose={onClose}
    >
      {rows && data && (
        <Rows rows={rows} leftOut={leftOut} total={data.total + leftOut.size} onToggle={toggle} />
      )}
    </SelectionDialog>
  );
}

function PreviewFacts({ preview: { total, will, left_out: leftOut, amount } }: { preview: Preview }) {
  return (
    <>
      <Fact label="Selected">{tradersWord(total)}</Fact>
      <Fact label="Will be done">
        <strong className="font-semibold">
          <Count n={will} plain="They are listed below" />
        </strong>
      </Fact>
      {amount !== null && (
        <Fact label="Unpaid, of these">
          <Money amount={amount} />
        </Fact>
      )}
      {leftOut.length > 0 && (
        <Fact label="Stay as they are">
          {leftOut.map(({ reason, count }) => (
            <span key={reason} className="block">
              <Count n={count} plain="They are listed below" />: {REASONS[reason]}
            </span>
          ))}
        </Fact>
      )}
    </>
  );
}

interface RowsProps {
  rows: Preview['rows'];
  leftOut: ReadonlyMap<string, Row>;
  total: number;
  onToggle(row: Row): void;
}

/** The traders by name. An unticked one is left out of the figures above. */
function Rows({ rows, leftOut, total, onToggle }: RowsProps) {
  return (
    <section aria-label="Selected traders">
      <SelectionRows>
        {rows.map((row) => {
          const name = listName(row);
          return (
            <SelectionRow
              key={row.trader_id}
              label={`Include ${name}`}
              isIn={row.reason === null && !leftOut.has(row.trader_id)}
              isFixed={row.reason !== null}
              onToggle={() => onToggle(row)}
              end={
                <span className="text-muted">
                  {row.reason === null
                    ? row.amount !== null && <Money amount={row.amount} />
                    : REASONS[row.reason]}
                </span>
              }
            >
              <bdi className="font-medium wrap-anywhere">{name}</bdi>{' '}
              {row.reference_number && (
                <bdi className="font-mono text-sm text-muted">{row.reference_number}</bdi>
              )}
            </SelectionRow>
          );
        })}
      </SelectionRows>
      {total > rows.length && (
        <p className="mt-2 text-sm text-muted tabular-nums">
          and <Count n={total - rows.length} plain="The first are listed above" /> more, which the figures
          above count
        </p>
      )}
    </section>
  );
}
