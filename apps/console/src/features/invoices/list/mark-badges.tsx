import { formatCount, formatDate, formatWholeUsd, type InvoiceMark, invoiceMarks } from '@copydesk/domain';
import type { LucideIcon } from 'lucide-react';
import Archive from 'lucide-react/icons/archive';
import Ban from 'lucide-react/icons/ban';
import CircleCheck from 'lucide-react/icons/circle-check';
import CirclePlus from 'lucide-react/icons/circle-plus';
import Clock from 'lucide-react/icons/clock';
import Contrast from 'lucide-react/icons/contrast';
import Handshake from 'lucide-react/icons/handshake';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import type { Invoice, InvoiceGroup } from '../invoices-queries.ts';
import { paidWords } from './paid-words.ts';

const LOOKS: Record<InvoiceMark, { tone: Tone; icon: LucideIcon; word: string }> = {
  paid: { tone: 'positive', icon: CircleCheck, word: 'Paid' },
  off_platform: { tone: 'neutral', icon: Handshake, word: 'Off-platform' },
  overpaid: { tone: 'accent', icon: CirclePlus, word: 'Overpaid' },
  cancelled: { tone: 'neutral', icon: Ban, word: 'Cancelled' },
  overdue: { tone: 'negative', icon: TriangleAlert, word: 'Overdue' },
  due: { tone: 'caution', icon: Clock, word: 'Due' },
  unpaid: { tone: 'caution', icon: Clock, word: 'Unpaid' },
  part_paid: { tone: 'accent', icon: Contrast, word: 'Part-paid' },
  archived: { tone: 'neutral', icon: Archive, word: 'Archived' },
};

interface MarkProps {
  mark: InvoiceMark;
  word?: string;
  /** Without its icon, where several stand side by side. */
  isPlain?: boolean;
}

function Mark({ mark, word, isPlain = false }: MarkProps) {
  const look = LOOKS[mark];
  return (
    <Badge tone={look.tone} icon={isPlain ? undefined : look.icon}>
      {word ?? look.word}
    </Badge>
  );
}

/** @param hidesArchived where everything around it is archived as well */
export function InvoiceBadges({ invoice, hidesArchived }: { invoice: Invoice; hidesArchived?: boolean }) {
  const marks = invoiceMarks(invoice).filter((mark) => !(hidesArchived && mark === 'archived'));
  return (
    <span className="flex gap-1 overflow-hidden" title={`Due ${formatDate(invoice.due_at)}`}>
      {marks.map((mark) => (
        <Mark
          key={mark}
          mark={mark}
          word={mark === 'due' ? `Due ${formatDate(invoice.due_at).replace(/, \d+$/, '')}` : undefined}
        />
      ))}
    </span>
  );
}

/** What there is to say of a group: paid as a whole, or how many of its invoices wait for what. */
export function GroupBadges({ group }: { group: InvoiceGroup }) {
  const { is_paid, is_archived, overdue_count, due_count, part_paid_count, overpaid_count } = group;
  const { pending_count, cancelled_count, off_platform_amount } = group;
  const counted = (mark: InvoiceMark, count: number, word: string) =>
    count > 0 && <Mark mark={mark} word={`${formatCount(count)} ${word}`} isPlain />;
  return (
    <span className="flex gap-1 overflow-hidden" title={paidWords(group)}>
      {is_paid && <Mark mark="paid" />}
      {counted('overdue', overdue_count, 'overdue')}
      {counted('due', due_count, 'due')}
      {counted('part_paid', part_paid_count, 'part-paid')}
      {is_archived && pending_count > 0 && <Mark mark="unpaid" />}
      {counted('cancelled', cancelled_count, 'cancelled')}
      {counted('overpaid', overpaid_count, 'overpaid')}
      {/[1-9]/.test(off_platform_amount) && (
        <Mark mark="off_platform" word={`${formatWholeUsd(off_platform_amount)} off-platform`} isPlain />
      )}
    </span>
  );
}
