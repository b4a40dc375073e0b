import { useQuery } from '@tanstack/react-query';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import { useEffect, useState } from 'react';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Address } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { CheckField } from '../../../ui/form/check-field.tsx';
import { DialogBody, DialogFoot } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { distributeProblem, STILL_WORKING } from '../payout-texts.ts';
import type { PayPlan } from '../payouts-queries.ts';
import { CheckedRecipients } from '../recipients/checked-recipients.tsx';
import { type PayoutOrder, sendPayoutOrder } from './payout-order.ts';
import {
  aboveMaximumWords,
  approvalWords,
  collectedWords,
  feeWords,
  payWords,
  transactionWords,
} from './plan-texts.ts';
import { hasChanged, usePay } from './use-pay.ts';

interface PlanStepProps {
  order: PayoutOrder;
  leave: { label: string; onSelect(): void };
  onChanged(): void;
  onSent(sent: PayPlan): void;
}

function PlanFacts({ plan }: { plan: PayPlan }) {
  return (
    <Facts className="grid shrink-0 gap-x-8 px-4 py-1 sm:grid-cols-2 sm:[&>div:nth-child(2)]:border-t-0">
      <Fact label="Total">
        <Money amount={plan.total_amount} className="font-semibold" />
      </Fact>
      <Fact label="Stays pending">
        <Money amount={plan.remaining_amount} />
      </Fact>
      <Fact label="Transactions">{transactionWords(plan)}</Fact>
      <Fact label="Expected fee">{feeWords(plan)}</Fact>
      <Fact label="Collected first">{collectedWords(plan)}</Fact>
      <Fact label="Paid from">
        <Address address={plan.from_address} what="address of the community's wallet" />
      </Fact>
    </Facts>
  );
}

/** The effect of the order, from a dry run, before anything is paid. */
export function PlanStep({ order, leave, onChanged, onSent }: PlanStepProps) {
  const {
    data: plan,
    error,
    refetch,
  } = useQuery({
    queryKey: ['order-plan', order],
    queryFn: ({ signal }) => sendPayoutOrder(order, { isDry: true, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const isOutdated = hasChanged(error);
  useEffect(() => {
    if (isOutdated) onChanged();
  }, [isOutdated, onChanged]);
  const [isAllowedOnce, setAllowedOnce] = useState(false);
  const pay = usePay(order, isAllowedOnce, { onSent, onChanged });
  const lacksConsent = Boolean(plan?.above_maximum) && !isAllowedOnce;
  return (
    <>
      <DialogBody>
        <QueryState
          small
          error={error ? { title: 'Nothing was sent', message: distributeProblem(error) } : null}
          onRetry={() => void refetch()}
          isLoading={!plan}
          loading={<Loading text="Working out what will happen..." />}
          isEmpty={false}
          empty={null}
        >
          {plan && (
            <>
              {plan.above_maximum && (
                <Notice tone="caution" icon={ShieldAlert} title={aboveMaximumWords(plan.above_maximum)}>
                  Two further super admins must approve it. Where there are fewer, the command on the workers'
                  machine takes the missing place. Until then the shares are reserved and nothing is sent.
                  <div className="pt-2">
                    <CheckField
                      label="Allow once"
                      checked={isAllowedOnce}
                      onChange={(event) => setAllowedOnce(event.target.checked)}
                    />
                  </div>
                </Notice>
              )}
              {plan.needs_approval && !plan.above_maximum && (
                <Notice tone="caution" icon={ShieldAlert} title="Another super admin must approve this">
                  {approvalWords(plan)} Until then the shares are reserved and nothing is sent.
                </Notice>
              )}
              <PlanFacts plan={plan} />
              <CheckedRecipients
                label="Recipients to pay"
                lines={plan.payouts}
                paid={plan.recipients ?? []}
              />
              <div className="shrink-0 px-4 py-3 empty:hidden">
                <FormErrorOf error={pay.failure} />
                {pay.isLate && (
                  <p role="status" className="text-muted">
                    {STILL_WORKING}
                  </p>
                )}
              </div>
            </>
          )}
        </QueryState>
      </DialogBody>
      <DialogFoot>
        <Button onClick={leave.onSelect}>{leave.label}</Button>
        {plan && !error && (
          <Button
            look="primary"
            className="tabular-nums max-sm:order-first max-sm:h-auto max-sm:min-h-8 max-sm:w-full max-sm:flex-none! max-sm:py-1.5 max-sm:whitespace-normal"
            aria-disabled={pay.isBusy || lacksConsent}
            onClick={() => !pay.isBusy && !lacksConsent && pay.run(plan)}
          >
            {pay.isLate ? 'Still working...' : pay.isBusy ? 'Sending...' : payWords(order, plan)}
          </Button>
        )}
      </DialogFoot>
    </>
  );
}

/** The toast showed it already, and disappears. */
function FormErrorOf({ error }: { error: unknown }) {
  return error ? <FormError message={distributeProblem(error)} /> : null;
}
