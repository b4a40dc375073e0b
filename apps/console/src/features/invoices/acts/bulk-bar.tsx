import { sumDecimals } from '@copydesk/domain/money';
import X from 'lucide-react/icons/x';
import { formatCount, formatWholeUsd } from '../../../lib/format/numbers.ts';
import { askedUsdt } from '../../../lib/format/payout-texts.ts';
import { Button } from '../../../ui/form/button.tsx';
import { strangersIn } from '../list/unknown-group.ts';
import { type ActKind, type Chosen, countOf } from './act.ts';
import type { ActHandlers } from './act-handlers.ts';
import { invoicesWord } from './act-texts.ts';

interface BulkBarProps extends Pick<ActHandlers, 'onAct'> {
  chosen: Chosen;
  isArchive: boolean;
  onSelectPage(): void;
  onClear(): void;
}

const SMALL = 'h-7! px-2.5! max-md:h-8!';

/**
 * The selection and its actions. Covers the table's header, beside the box that selects the page, so that no row moves
 * or is hidden; at phone width it covers the foot of the screen.
 */
export function BulkBar({ chosen, isArchive, onAct, onSelectPage, onClear }: BulkBarProps) {
  const total = sumDecimals([
    ...chosen.groups.map((group) => group.total_amount),
    ...chosen.invoices.map((invoice) => invoice.amount),
  ]);
  const groups = chosen.groups.length;
  const areStrangers = strangersIn(chosen).size > 1;
  const act = (kind: ActKind) => () => !areStrangers && onAct({ kind, chosen });
  return (
    <section
      aria-label="Selection"
      className="absolute top-0 end-0 start-15 z-30 flex h-9 items-center gap-3 border-b border-line bg-subtle pe-1 ps-3 max-md:fixed max-md:inset-x-0 max-md:top-auto max-md:bottom-0 max-md:h-auto max-md:flex-wrap max-md:gap-x-1 max-md:gap-y-2 max-md:border-t max-md:bg-raised max-md:p-3 max-md:shadow-raised"
    >
      <p role="status" className="min-w-0 truncate tabular-nums">
        <strong className="font-semibold">{invoicesWord(countOf(chosen))}</strong> selected
        <span className="text-muted">
          {groups > 0 && ` · ${formatCount(groups)} ${groups === 1 ? 'group' : 'groups'}`}
          <span title={askedUsdt(total)}>{` · ${formatWholeUsd(total)}`}</span>
        </span>
        {areStrangers && (
          <span className="text-caution"> · One trader without a reference number at a time</span>
        )}
      </p>
      <Button look="quiet" className="ms-auto h-7! px-2! md:hidden" onClick={onSelectPage}>
        Select page
      </Button>
      <Button
        square
        look="quiet"
        className="size-7! md:order-last"
        aria-label="Clear selection"
        title="Clear selection"
        onClick={onClear}
      >
        <X className="size-4" aria-hidden="true" />
      </Button>
      <div className="ms-auto flex shrink-0 items-center gap-1.5 max-md:w-full max-md:flex-wrap">
        <Button look="primary" className={SMALL} aria-disabled={areStrangers} onClick={act('pay')}>
          Mark as paid
        </Button>
        <Button className={SMALL} aria-disabled={areStrangers} onClick={act('unpay')}>
          Mark as unpaid
        </Button>
        <Button
          className={SMALL}
          aria-disabled={areStrangers}
          onClick={act(isArchive ? 'unarchive' : 'archive')}
        >
          {isArchive ? 'Restore' : 'Archive'}
        </Button>
      </div>
    </section>
  );
}
