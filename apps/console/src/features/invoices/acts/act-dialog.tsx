import { sumDecimals } from '@copydesk/domain/money';
import { useQueries, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { ApiError, messageOf } from '../../../lib/api/api-error.ts';
import { WRITE_OFF_REASON } from '../../../lib/format/order-texts.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { ReasonField } from '../../../ui/form/reason-field.tsx';
import { TypedCount } from '../../../ui/form/typed-count.tsx';
import type { InvoiceFilters } from '../invoices-search.ts';
import { groupInvoicesQuery } from '../list/group-invoices-query.ts';
import { type Act, type ActPlan, countOf, planAct, typedCountOf } from './act.ts';
import { ACT_BUSY, ACT_MEANS, ACT_TITLES, invoicesWord, willHappen } from './act-texts.ts';
import { matchingOf } from './send-act.ts';
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
  const { isLoading, plan } = useActPlan(filters, act);
  const form = useActForm(act, { filters, plan }, onDone);
  const isReasonMissing =
    form.failure instanceof ApiError && form.failure.code === 'write_off_reason_required';
  const isNothing = plan !== null && plan.count === 0;
  const typed = typedCountOf(plan);
  // One invoice or group shows its amount in its row; for many the dialog says it.
  const givesUp = plan !== null && kind === 'archive' && /[1-9]/.test(plan.givenUp);
  const total = sumDecimals([
    ...chosen.groups.map((group) => group.total_amount),
    ...chosen.invoices.map((invoice) => invoice.amount),
  ]);
  return (
    <FormDialog
      form={{ ...form, error: isReasonMissing ? null : form.error }}
      title={ACT_TITLES[kind]}
      text={isLoading ? 'Counting the invoices...' : willHappen(kind, chosen, plan)}
      confirm={givesUp ? `${ACT_TITLES[kind]}: give up ${usdt(plan.givenUp)}` : ACT_TITLES[kind]}
      isDanger={givesUp}
      busy={ACT_BUSY[kind]}
      leave="Cancel"
      isBlocked={isLoading || isNothing}
      onClose={onClose}
    >
      <Facts className="-mt-1" look="boxed">
        <Fact label="Selected">
          {chosen.allBut ? (
            plan?.selected ? (
              invoicesWord(plan.selected.invoices)
            ) : (
              '…'
            )
          ) : (
            <>
              {invoicesWord(countOf(chosen))}, <Money amount={total} as="usd" isAsked />
            </>
          )}
        </Fact>
        {(isLoading || plan) && (
          <>
            <Fact label="Will change">
              {plan ? (
                <strong className="font-semibold">
                  <Count n={plan.count} plain="They are what is selected behind the dialog" />
                </strong>
              ) : (
                '…'
              )}
            </Fact>
            <Fact label="Stay as they are">
              {plan ? (
                <Count n={plan.staying} plain="They are among what is selected behind the dialog" />
              ) : (
                '…'
              )}
            </Fact>
          </>
        )}
      </Facts>
      <p className="mt-3 text-muted">
        {ACT_MEANS[kind]}
        {chosen.allBut &&
          ' Traders without a reference number are left out: they have nothing in common, and are chosen one by one.'}
      </p>
      {plan && plan.onChain > 0 && (
        <p className="mt-2 rounded-md bg-caution-soft px-3 py-2 text-caution">
          <Count n={plan.onChain} plain="They are among what is selected behind the dialog" /> of them{' '}
          {plan.onChain === 1 ? 'was' : 'were'} paid on chain. As long as{' '}
          {plan.onChain === 1 ? 'it is' : 'they are'} selected, the server will refuse.
        </p>
      )}
      {typed !== null && <TypedCount wanted={typed} of="invoices" />}
      {(kind === 'pay' || kind === 'archive') && (
        <ReasonField {...WRITE_OFF_REASON} error={isReasonMissing ? messageOf(form.failure) : undefined} />
      )}
    </FormDialog>
  );
}

/** Above this number of groups the invoices are not read one by one before the action. */
const MOST_GROUPS = 20;
const MOST_INVOICES = 1_000;

/**
 * What an action would do: from its invoices where these are few, from the server where all groups that match are
 * selected; null while it is asked for, or when too many groups were selected one by one.
 */
function useActPlan(
  filters: InvoiceFilters,
  { kind, chosen }: Act,
): { isLoading: boolean; plan: ActPlan | null } {
  const { allBut } = chosen;
  const isFew = allBut === null && chosen.groups.length <= MOST_GROUPS && countOf(chosen) <= MOST_INVOICES;
  const results = useQueries({
    queries: (isFew ? chosen.groups : []).map((group) =>
      groupInvoicesQuery(filters, group, { offset: 0, limit: MOST_INVOICES }),
    ),
  });
  const matching = allBut && matchingOf(allBut, filters);
  const whole = useQuery({
    queryKey: ['invoice-act', kind, matching],
    enabled: matching !== null,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (
        await call('POST /api/invoices/admin/preview', {
          body: { act: kind, ...(matching && { matching }) },
          signal,
        })
      ).data,
  });
  if (matching) {
    const { data } = whole;
    if (!data) return { isLoading: whole.isPending, plan: null };
    const { selected, traders, changing: count, sum, given_up: givenUp, on_chain: onChain } = data;
    const plan = { count, changing: [], staying: selected - count, sum, givenUp, onChain, canUndo: false };
    return { isLoading: false, plan: { ...plan, selected: { invoices: selected, traders } } };
  }
  const parts = results.map((result) => result.data);
  const isKnown = isFew && parts.every((part) => part !== undefined);
  return {
    isLoading: results.some((result) => result.isPending),
    plan: isKnown ? planAct(kind, [...parts.flatMap((part) => part ?? []), ...chosen.invoices]) : null,
  };
}
