import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/format/numbers.ts';
import { ErrorLine } from '../feedback/error-line.tsx';
import { Button } from './button.tsx';

const SMALL = 'h-7! px-2.5! text-xs!';

export interface WaitingItem {
  id: string;
  /** What waits, who asked, and when. */
  text: ReactNode;
  /** Why this person cannot approve it; null: it can. */
  refusal: string | null;
  onApprove(): void;
  /** The person's own request is withdrawn, another one declined; some can only be approved. */
  decline?: 'Decline' | 'Withdraw';
  onDecline?(): void;
  /** Something speaks against it: approving is not the first thing to do. */
  isDoubtful?: boolean;
}

interface WaitingListProps {
  items: readonly WaitingItem[];
  /** The total, when the list is incomplete. */
  total?: number | undefined;
  /** A box of its own, not the head of a panel. */
  isBox?: boolean | undefined;
  title?: string;
  approve?: string;
  /** A link to what they are among. */
  among?: ReactNode;
  /** One act for all of them. */
  all?: { label: string; onClick(): void };
  /** Set when the list could not be loaded: an empty one would say that nothing waits. */
  failure?: { message: string; onRetry(): void } | undefined;
}

/** What waits for another super admin, with its two decisions. Nothing when nothing waits. */
export function WaitingList({
  items,
  total = items.length,
  isBox = false,
  title = 'Waiting for approval',
  approve = 'Approve',
  among,
  all,
  failure,
}: WaitingListProps) {
  const Heading = isBox ? 'h2' : 'h3';
  if (failure && items.length === 0)
    return (
      <div
        className={clsx(
          'shrink-0 border-negative/30 bg-negative-soft px-4 py-2.5',
          isBox ? 'rounded-lg border' : 'border-b',
        )}
      >
        <ErrorLine message={`${title}: ${failure.message}`} onRetry={failure.onRetry} />
      </div>
    );
  if (items.length === 0) return null;
  return (
    <section
      aria-label={title}
      className={clsx(
        'max-h-64 max-sm:max-h-80 shrink-0 overflow-y-auto border-caution/30 bg-caution-soft px-4 py-2.5',
        isBox ? 'rounded-lg border' : 'border-b',
      )}
    >
      <div className="flex items-center justify-between gap-3">
        <Heading className="text-xs font-semibold text-caution">
          {title}: {formatCount(total)}
          {total > items.length && `, the newest ${formatCount(items.length)} shown`}
        </Heading>
        {(among || all) && (
          <span className="flex items-center gap-3 text-xs">
            {among}
            {all && (
              <Button className={SMALL} onClick={all.onClick}>
                {all.label}
              </Button>
            )}
          </span>
        )}
      </div>
      <ul>
        {items.map(({ id, text, refusal, decline, onApprove, onDecline, isDoubtful = false }) => {
          const refusalId = `refusal-${id}`;
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-1.5">
              <p className="min-w-48 flex-1 tabular-nums max-sm:basis-full">
                {text}
                {refusal && (
                  <span id={refusalId} className="block text-xs">
                    {refusal.replace(/\.?$/, '.')}
                  </span>
                )}
              </p>
              <span className="flex gap-1.5">
                {decline && (
                  <Button className={SMALL} onClick={onDecline}>
                    {decline}
                  </Button>
                )}
                <Button
                  {...(!isDoubtful && { look: 'primary' as const })}
                  className={SMALL}
                  aria-disabled={refusal !== null}
                  aria-describedby={refusal ? refusalId : undefined}
                  title={refusal ?? undefined}
                  onClick={() => refusal === null && onApprove()}
                >
                  {approve}
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
