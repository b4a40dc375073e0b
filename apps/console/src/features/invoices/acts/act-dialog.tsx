import { sumDecimals } from '@copydesk/domain/money';
import { useQueries } from '@tanstack/react-query';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { formatCount, formatUsd } from '../../../lib/format/numbers.ts';
import { askedUsdt } from '../../../lib/format/payout-texts.ts';
import { Fact } from '../../../ui/figures/fact.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { WriteOffReason } from '../../../ui/form/write-off-reason.tsx';
import type { Invoice } from '../invoices-queries.ts';
import type { InvoiceFilters } from '../invoices-search.ts';
import { groupInvoicesQuery } from '../list/group-invoices-query.ts';
import { type Act, type Chosen, countOf, planAct } from './act.ts';
import { ACT_BUSY, ACT_MEANS, ACT_TITLES, invoicesWord, willHappen } from './act-texts.ts';
import { useActForm } from './use-act.ts';

interface ActDialogProps {
  act: Act;
  filters: InvoiceFilters;
  onClose(): void;
  onDone(): void;
}

/** Asks for confirmation before invoices change: how many, their sum, and the effect. */
export function ActDialog({ act, filters, onClose, onDone }: ActDialogProps) {
  const { kind, chosen } = act;
  const { isLoading, invoices } = useChosenInvoices(filters, chosen);
  const plan = invoices && planAct(kind, invoices);
  const form = useActForm(act, { filters, plan }, onDone);
  const isReasonMissing =
    form.failure instanceof ApiError && form.failure.code === 'write_off_reason_required';
  const isNothing = plan !== null && plan.changing.length === 0;
  const total = sumDecimals([
    ...chosen.groups.map((group) => group.total_amount),
    ...chosen.invoices.map((invoice) => invoice.amount),
  ]);
  return (
    <FormDialog
      form={{ ...form, error: isReasonMissing ? null : form.error }}
      title={ACT_TITLES[kind]}
      text={isLoading ? 'Counting the invoices...' : willHappen(kind, chosen, plan)}
      confirm={ACT_TITLES[kind]}
      busy={ACT_BUSY[kind]}
      leave="Cancel"
      isBlocked={isLoading || isNothing}
      onClose={onClose}
    >
      <dl className="-mt-1 rounded-md border border-line px-3 tabular-nums">
        <Fact label="Selected">
          {invoicesWord(countOf(chosen))}, <span title={askedUsdt(total)}>{formatUsd(total)}</span>
        </Fact>
        {(isLoading || plan) && (
          <>
            <Fact label="Will change">
              {plan ? <strong className="font-semibold">{formatCount(plan.changing.length)}</strong> : '…'}
            </Fact>
            <Fact label="Stay as they are">{plan ? formatCount(plan.staying) : '…'}</Fact>
          </>
        )}
      </dl>
      <p className="mt-3 text-muted">{ACT_MEANS[kind]}</p>
      {plan && plan.onChain > 0 && (
        <p className="mt-2 rounded-md bg-caution-soft px-3 py-2 text-caution">
          {formatCount(plan.onChain)} of them {plan.onChain === 1 ? 'was' : 'were'} paid on chain. As long as{' '}
          {plan.onChain === 1 ? 'it is' : 'they are'} selected, the server will refuse.
        </p>
      )}
      {(kind === 'pay' || kind === 'archive') && (
        <WriteOffReason error={isReasonMissing ? messageOf(form.failure) : undefined} />
      )}
    </FormDialog>
  );
}

/** Above this number of groups the invoices are not read one by one before the action. */
const MOST_GROUPS = 20;
const MOST_INVOICES = 1_000;

/** Every invoice of an action, for the preview; null while loading, or when there are too many. */
function useChosenInvoices(filters: InvoiceFilters, chosen: Chosen) {
  const isFew = chosen.groups.length <= MOST_GROUPS && countOf(chosen) <= MOST_INVOICES;
  const results = useQueries({
    queries: (isFew ? chosen.groups : []).map((group) =>
      groupInvoicesQuery(filters, group, { offset: 0, limit: MOST_INVOICES }),
    ),
  });
  const isLoading = results.some((result) => result.isPending);
  const parts = results.map((result) => result.data);
  const isKnown = isFew && parts.every((part) => part !== undefined);
  const invoices: Invoice[] | null = isKnown
    ? [...parts.flatMap((part) => part ?? []), ...chosen.invoices]
    : null;
  return { isLoading, invoices };
}
