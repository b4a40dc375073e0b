import { formatCount } from '@copydesk/domain';
import { messageOf } from '../../../lib/api-error.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { STEP_ROWS } from './group-invoices-query.ts';
import type { TreeRow } from './tree-rows.ts';
import { isOfStrangers } from './unknown-group.ts';

interface NoteRowProps {
  row: TreeRow & { kind: 'more' | 'failed' };
  tabIndex: number;
  onMore(): void;
}

/** A row within a group that replaces invoices: there are more, or they could not be loaded. */
export function NoteRow({ row, tabIndex, onMore }: NoteRowProps) {
  if (row.kind === 'failed') {
    return (
      <span role="alert" className="flex items-center gap-3 pl-15 text-negative">
        <span className="truncate">Error loading invoices: {messageOf(row.error)}</span>
        <Button className="h-6! text-xs!" tabIndex={tabIndex} onClick={row.retry}>
          Retry
        </Button>
      </span>
    );
  }
  return (
    <span className="flex items-center pl-15">
      <Button look="quiet" className="-ml-2 h-6! px-2! text-xs!" tabIndex={tabIndex} onClick={onMore}>
        Show {formatCount(Math.min(STEP_ROWS, row.left))} more of {formatCount(row.left)}
        {isOfStrangers(row.group) && ' traders'}
      </Button>
    </span>
  );
}
