import { call } from '../../../lib/api/api.ts';
import { listName } from '../../../lib/format/trader-name.ts';
import { formatUsdt } from '../../../lib/format/usdt.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { invoicesKeys } from '../invoices-keys.ts';
import { differenceText } from './difference-texts.ts';
import type { Deduction, Difference } from './differences-query.ts';

type DeductedKind = Exclude<Difference['kind'], 'unread_closes'>;

/** Asks before what an invoice charged too much is deducted from the next ones. */
export function DeductDialog({ row, onClose }: { row: Difference; onClose(): void }) {
  const amount = `${formatUsdt(row.amount ?? '0')} USDT`;
  const whose = `${row.provider_name} in ${row.trader.community.name}`;
  const act = useAct({
    send: (keyOf) => {
      const body = { kind: row.kind as DeductedKind, id: row.id, seen: row.seen };
      return call('POST /api/invoices/differences/deduct', { body, idempotencyKey: keyOf(body) });
    },
    done: ({ data }) => ({
      title: 'Deduction recorded',
      text: `The next invoices of ${listName(row.trader)} are ${formatUsdt(data.amount)} USDT less.`,
    }),
    reads: invoicesKeys.differences,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Deduct ${amount}`}
      text={`${differenceText(row)} The next invoices of ${listName(row.trader)} for ${whose} are ${amount} less. An invoice takes a part where it is smaller. No money moves.`}
      confirm={`Deduct ${amount}`}
      busy="Saving..."
      {...act}
      onClose={onClose}
    />
  );
}

/** Asks before the unused rest of a deduction ends. */
export function EndDeductionDialog({ row, onClose }: { row: Deduction; onClose(): void }) {
  const left = `${formatUsdt(row.left)} USDT`;
  const act = useAct({
    send: (keyOf) => {
      const body = { left: row.left };
      return call('POST /api/invoices/deductions/{id}/end', {
        params: { id: row.id },
        body,
        idempotencyKey: keyOf(body),
      });
    },
    done: () => ({ title: 'Deduction ended', text: `${left} of ${listName(row.trader)}` }),
    reads: invoicesKeys.differences,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="End deduction"
      text={`The next invoices of ${listName(row.trader)} for ${row.provider_name} are no longer ${left} less. What invoices have used of it stays deducted. No money moves.`}
      confirm={`End ${left}`}
      busy="Saving..."
      isDanger
      {...act}
      onClose={onClose}
    />
  );
}
