import { sumDecimals } from '@copydesk/domain/money';
import { useQuery } from '@tanstack/react-query';
import RotateCw from 'lucide-react/icons/rotate-cw';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import { useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { untilAnswered } from '../../../lib/api/until-answered.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { usdt } from '../../../lib/format/usdt.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Dialog, DialogBody, DialogFoot } from '../../../ui/form/dialog.tsx';
import { FormError } from '../../../ui/form/form-error.tsx';
import { useSend } from '../../../ui/form/use-act.ts';
import { followRun } from '../follow/followed-distributions.ts';
import { feeWords } from '../pay/plan-texts.ts';
import { hasChanged } from '../pay/use-pay.ts';
import { distributeProblem, payoutsWord, STILL_WORKING } from '../payout-texts.ts';
import { payoutsKeys } from '../payouts-keys.ts';
import { RunLines } from './run-lines.tsx';
import { RunProgress } from './run-progress.tsx';
import { communitiesWord, EXCLUSIONS, payRunWords, runApprovalWords, runSentWords } from './run-texts.ts';
import { type RunPlan, runPlanQuery } from './runs-queries.ts';

interface RunDialogProps {
  communityIds: readonly string[];
  onClose(): void;
}

/** Pays several communities as one: the plan, and the progress. */
export function RunDialog({ communityIds, onClose }: RunDialogProps) {
  const [sent, setSent] = useState<string | null>(null);
  return (
    <Dialog
      wide
      title="Distribute together"
      text={`${communitiesWord(communityIds.length)}, a distribution each`}
      onClose={onClose}
    >
      {sent ? (
        <RunProgress runId={sent} onClose={onClose} />
      ) : (
        <RunPlanStep communityIds={communityIds} onSent={setSent} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface RunPlanStepProps extends RunDialogProps {
  onSent(runId: string): void;
}

function RunPlanStep({ communityIds, onSent, onClose }: RunPlanStepProps) {
  const { data: plan, error, isFetching, refetch } = useQuery(runPlanQuery(communityIds));
  const [isOutdated, setOutdated] = useState(false);
  const [isLate, setLate] = useState(false);
  const pay = useSend(
    ({ seen }: RunPlan, keyOf) => {
      const body = { community_ids: [...communityIds], seen };
      setLate(false);
      return untilAnswered(
        () => call('POST /api/super-admin/payout-runs', { body, idempotencyKey: keyOf(body) }),
        { onLate: () => setLate(true) },
      );
    },
    {
      done: ({ data: run }) => ({ tone: 'neutral', ...runSentWords(run) }),
      onDone: ({ data: run }) => {
        if (run.state === 'approved') followRun(run.id);
        onSent(run.id);
      },
      onError: (failure) => {
        if (!hasChanged(failure)) return;
        setOutdated(true);
        void refetch();
      },
      refusal: distributeProblem,
      reads: payoutsKeys.all,
    },
  );
  const isBlocked = pay.isBusy || isFetching;
  return (
    <>
      <DialogBody>
        <QueryState
          small
          error={error && !plan ? { title: 'Nothing was sent', message: distributeProblem(error) } : null}
          onRetry={() => void refetch()}
          isLoading={!plan}
          loading={<Loading text="Working out what will happen..." />}
          isEmpty={plan?.communities.length === 0}
          empty={plan && <LeftOut plan={plan} />}
        >
          {plan && (
            <>
              {isOutdated && (
                <Notice tone="caution" icon={RotateCw} title="What is pending has changed">
                  Nothing was sent. Look at what would be paid now.
                </Notice>
              )}
              {plan.needs_approval && (
                <Notice tone="caution" icon={ShieldAlert} title="Another super admin must approve this">
                  {runApprovalWords(plan)} All of it is approved as one. Until then the shares are reserved
                  and nothing is sent.
                </Notice>
              )}
              <PlanFacts plan={plan} />
              <LeftOut plan={plan} />
              <RunLines
                label="Recipients to pay"
                lines={plan.lines}
                communities={plan.communities.map(({ community }) => community)}
                paid={plan.recipients}
              />
              <div className="shrink-0 px-4 py-3 empty:hidden">
                {pay.error && !isOutdated && <FormError message={pay.error} />}
                {pay.isBusy && isLate && (
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
        <Button onClick={onClose}>Cancel</Button>
        {plan && plan.communities.length > 0 && (
          <Button
            look="primary"
            className="tabular-nums max-sm:order-first max-sm:h-auto max-sm:min-h-8 max-sm:w-full max-sm:flex-none! max-sm:py-1.5 max-sm:whitespace-normal"
            aria-disabled={isBlocked}
            onClick={() => !isBlocked && pay.run(plan)}
          >
            {pay.isBusy ? (isLate ? 'Still working...' : 'Sending...') : payRunWords(plan)}
          </Button>
        )}
      </DialogFoot>
    </>
  );
}

function PlanFacts({ plan }: { plan: RunPlan }) {
  const { communities, carried, minimum_payout: minimum, transaction_count: transactions, lines } = plan;
  const collected = communities.reduce((sum, { consolidations }) => sum + consolidations.count, 0);
  return (
    <Facts className="grid shrink-0 gap-x-8 px-4 py-1 sm:grid-cols-2 sm:[&>div:nth-child(2)]:border-t-0">
      <Fact label="Total">
        <Money amount={plan.total_amount} className="font-semibold" />
      </Fact>
      <Fact label="Pays">{`${payoutsWord(lines.length)} of ${communitiesWord(communities.length)}`}</Fact>
      <Fact label="Transactions">
        {collected === 0
          ? `${formatCount(transactions)}, one a payout`
          : `${formatCount(transactions)}: ${formatCount(collected)} to collect, ${formatCount(lines.length)} to pay`}
      </Fact>
      <Fact label="Expected fee">{feeWords(plan)}</Fact>
      <Fact label="Carried">
        {carried.count === 0
          ? 'Nothing is below the smallest payout'
          : `${usdt(carried.amount)} in ${payoutsWord(carried.count)} below ${usdt(minimum)}`}
      </Fact>
      <Fact label="Not payable now">
        <Money amount={sumDecimals(communities.map(({ not_now }) => not_now))} />
      </Fact>
    </Facts>
  );
}

/** Selected communities that are not paid, each with what to do about it. */
function LeftOut({ plan: { left_out: leftOut } }: { plan: RunPlan }) {
  if (leftOut.length === 0) return null;
  return (
    <section
      aria-label="Not paid now"
      className="max-h-32 shrink-0 overflow-y-auto border-t border-line bg-subtle px-4 py-2.5"
    >
      <h3 className="text-xs font-semibold">Not paid now</h3>
      <ul className="text-xs">
        {leftOut.map(({ community, reason, amount }) => (
          <li key={community.id} className="flex min-h-6 items-center justify-between gap-4">
            <span className="min-w-0">
              <bdi>
                <Name
                  to={{
                    to: '/community-settings/$communityId',
                    params: { communityId: community.id },
                    search: { tab: 'money' },
                  }}
                >
                  {community.name}
                </Name>
              </bdi>
              : {EXCLUSIONS[reason]}
            </span>
            <Money amount={amount} className="shrink-0 tabular-nums" />
          </li>
        ))}
      </ul>
    </section>
  );
}
