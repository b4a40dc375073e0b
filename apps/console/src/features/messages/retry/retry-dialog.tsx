import { TYPED_COUNT_ABOVE_ROWS } from '@copydesk/domain/bulk';
import { MOST_MESSAGES_RETRIED } from '@copydesk/domain/messages';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { Fact } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { SelectionDialog } from '../../../ui/form/selection-dialog.tsx';
import { findCountError } from '../../../ui/form/typed-count.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { messagesWord, RETRY_REASONS, type Retrying, type RetryPreview } from './retrying.ts';

const AT_ONCE = `${formatCount(MOST_MESSAGES_RETRIED)} at once at most, the oldest first. The others stay selected.`;

interface RetryDialogProps {
  retrying: Retrying;
  onClose(): void;
  /** They are queued. @param remaining how many of them one call did not take */
  onQueued(remaining: number): void;
}

/** Says how many of a selection of messages would be sent again and why the others not, and sends them. */
export default function RetryDialog({ retrying, onClose, onQueued }: RetryDialogProps) {
  const { data, error, isFetching, refetch } = useQuery(previewQuery(retrying));
  const will = data?.will ?? 0;
  const isTyped = will > TYPED_COUNT_ABOVE_ROWS;
  const isPart = will > MOST_MESSAGES_RETRIED;
  const form = useDialogForm({
    values: { count: '' },
    findErrors: ({ count }) => findCountError(count, isTyped ? will : null),
    send: (_, keyOf) => retrying.order(will, keyOf),
    done: ({ queued, remaining }) => ({
      title: `${messagesWord(queued)} queued again`,
      ...(remaining > 0 && { text: `${formatCount(remaining)} are left: try again.` }),
    }),
    reads: retrying.reads,
    onDone: ({ remaining }) => onQueued(remaining),
    onError: (failure) => {
      // The confirmed selection has changed: shows the present one.
      if (failure instanceof ApiError && failure.code === 'messages_changed') void refetch();
    },
  });
  return (
    <SelectionDialog
      form={form}
      title="Try again"
      text={retrying.means}
      confirm={
        will === 0
          ? 'Send again'
          : isPart
            ? `Send the oldest ${formatCount(MOST_MESSAGES_RETRIED)} again`
            : `Send ${messagesWord(will)} again`
      }
      busy="Queueing..."
      isBlocked={will === 0}
      failure={error && !data ? { message: messageOf(error), onRetry: () => void refetch() } : null}
      looking="Looking at the selected messages..."
      facts={data && <PreviewFacts preview={data} />}
      isSettled={data !== undefined && !isFetching}
      typed={isTyped ? { wanted: will, of: 'messages' } : null}
      onClose={onClose}
    >
      {isPart && <p className="text-muted">{AT_ONCE}</p>}
    </SelectionDialog>
  );
}

function PreviewFacts({ preview: { will, left_out: leftOut } }: { preview: RetryPreview }) {
  return (
    <>
      <Fact label="Can be sent again">
        {will === 0 ? (
          'None of these'
        ) : (
          <strong className="font-semibold tabular-nums">{messagesWord(will)}</strong>
        )}
      </Fact>
      {leftOut.length > 0 && (
        <Fact label="Stay as they are">
          {leftOut.map(({ reason, count }) => (
            <span key={reason} className="block tabular-nums">
              <Count n={count} plain="They are among the selected ones" /> {RETRY_REASONS[reason]}
            </span>
          ))}
        </Fact>
      )}
    </>
  );
}

/** Never older than its dialog: the person confirms what it says. */
const previewQuery = ({ key, preview }: Retrying) =>
  queryOptions({
    queryKey: ['retry of messages', ...key],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => preview(signal),
  });
