import { type InvoiceBadge, invoiceBadges } from '@copydesk/domain/invoices';
import type { LucideIcon } from 'lucide-react';
import CirclePlus from 'lucide-react/icons/circle-plus';
import Contrast from 'lucide-react/icons/contrast';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { formatCount, formatWholeUsd } from '../../../lib/format/numbers.ts';
import { shortDay } from '../../../lib/format/read-time.ts';
import { formatDay } from '../../../lib/format/zone-time.ts';
import { AwaitingApproval } from '../../../ui/feedback/awaiting-approval.tsx';
import type { Tone } from '../../../ui/feedback/badge.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import { paidWords } from './paid-texts.ts';

const LOOKS: Record<InvoiceBadge, { tone: Tone; icon?: LucideIcon; word: string }> = {
  paid: { tone: 'positive', word: 'Paid' },
  off_platform: { tone: 'neutral', word: 'Off-platform' },
  overpaid: { tone: 'accent', icon: CirclePlus, word: 'Overpaid' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
  overdue: { tone: 'negative', icon: TriangleAlert, word: 'Overdue' },
  due: { tone: 'neutral', word: 'Due' },
  // Only in the archive: nothing is asked for it.
  unpaid: { tone: 'neutral', word: 'Unpaid' },
  part_paid: { tone: 'accent', icon: Contrast, word: 'Part-paid' },
  archived: { tone: 'neutral', word: 'Archived' },
};

interface MarkProps {
  mark: InvoiceBadge;
  word?: string;
  /** Without its icon, for several badges side by side. */
  isPlain?: boolean;
}

function Mark({ mark, word, isPlain = false }: MarkProps) {
  const look = LOOKS[mark];
  return (
    <State tone={look.tone} icon={isPlain ? undefined : look.icon}>
      {word ?? look.word}
    </State>
  );
}

/** @param hidesArchived set where all surrounding invoices are archived as well */
export function InvoiceBadges({ invoice, hidesArchived }: { invoice: Invoice; hidesArchived?: boolean }) {
  const marks = invoiceBadges(invoice).filter((mark) => !(hidesArchived && mark === 'archived'));
  const due = `Due ${formatDay(invoice.due_at)}`;
  // Two badges do not fit, so the one that waits for a person comes first.
  if (invoice.is_awaiting_approval)
    return (
      <AwaitingApproval
        title={`Waits for another super admin. ${marks.map((mark) => LOOKS[mark].word).join(', ')}. ${due}`}
      />
    );
  return (
    <span className="flex gap-2 overflow-hidden" title={due}>
      {marks.map((mark) => (
        <Mark key={mark} mark={mark} word={mark === 'due' ? `Due ${shortDay(invoice.due_at)}` : undefined} />
      ))}
    </span>
  );
}

/** The badges of a group, the most important first, each with its label. */
function groupMarks(group: InvoiceGroup): { mark: InvoiceBadge; word?: string }[] {
  const { is_paid, is_archived, pending_count, off_platform_amount } = group;
  const counted = (mark: InvoiceBadge, count: number, word: string) =>
    count > 0 ? [{ mark, word: `${formatCount(count)} ${word}` }] : [];
  return [
    ...(is_paid ? [{ mark: 'paid' as const }] : []),
    ...(is_archived ? counted('unpaid', pending_count, 'unpaid') : []),
    ...counted('overdue', group.overdue_count, 'overdue'),
    ...counted('due', group.due_count, 'due'),
    ...counted('cancelled', pending_count === 0 ? group.cancelled_count : 0, 'cancelled'),
    ...(/[1-9]/.test(off_platform_amount)
      ? [{ mark: 'off_platform' as const, word: `${formatWholeUsd(off_platform_amount)} off-platform` }]
      : []),
    ...counted('part_paid', group.part_paid_count, 'part-paid'),
    ...counted('overpaid', group.overpaid_count, 'overpaid'),
  ];
}

/** The badges of a group; those that do not fit in a row are in the tooltip. */
export function GroupBadges({ group }: { group: InvoiceGroup }) {
  const marks = groupMarks(group);
  const all = marks.map(({ mark, word }) => word ?? LOOKS[mark].word).join(', ');
  return (
    <span
      className="flex h-5 flex-wrap gap-x-2.5 gap-y-2 overflow-hidden"
      title={`${all}. ${paidWords(group)}`}
    >
      {marks.map(({ mark, word }) => (
        <Mark key={mark} mark={mark} word={word} isPlain={word !== undefined} />
      ))}
    </span>
  );
}
