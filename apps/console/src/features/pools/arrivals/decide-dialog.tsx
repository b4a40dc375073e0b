import { UNEXPLAINED_ENDS, type UnexplainedEnd } from '@copydesk/domain/ledger';
import { decimalToUnits, shortId } from '@copydesk/domain/money';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api/api.ts';
import { problemWords } from '../../../lib/format/payout-problem-texts.ts';
import { readTime } from '../../../lib/format/read-time.ts';
import { exactUsdt } from '../../../lib/format/usdt.ts';
import { WholeAddress } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { EvidenceField } from '../evidence-field.tsx';
import { poolsKeys } from '../pools-keys.ts';
import {
  type ArrivalDecision,
  type PoolArrival,
  type PoolArrivals,
  type PooledAccount,
  type PoolMovement,
  poolMovementsQuery,
} from '../pools-queries.ts';
import { usePoolAct } from '../use-pool-act.ts';
import { decisionWords, END_WORDS, openDecisionOf } from './arrival-texts.ts';

interface DecideDialogProps {
  pool: PooledAccount;
  arrival: PoolArrival;
  /** How much of the pool's unexplained money can end in each way now. */
  resolvable: PoolArrivals['meta']['resolvable'];
  onClose(): void;
}

/** One super admin proposes what becomes of an unexplained arrival, with evidence; another one confirms it. */
export function DecideDialog({ pool, arrival, resolvable, onClose }: DecideDialogProps) {
  const decision = openDecisionOf(arrival);
  if (!decision)
    return <ProposeDialog pool={pool} arrival={arrival} resolvable={resolvable} onClose={onClose} />;
  return decision.state === 'proposed' ? (
    <ReviewDialog pool={pool} arrival={arrival} decision={decision} onClose={onClose} />
  ) : (
    <SendingDialog pool={pool} arrival={arrival} decision={decision} onClose={onClose} />
  );
}

/** A withdrawal that no arrival belongs to yet. */
const isFreeWithdrawal = ({ kind, state, match }: PoolMovement) =>
  kind === 'withdrawal' && state === 'done' && match !== 'matched' && match !== 'linked';
const withdrawalWords = ({ amount, to_address, at }: PoolMovement) =>
  `${exactUsdt(amount)} to ${shortId(to_address)}, ${readTime(at)}`;

const unitsOf = (amount: string) => decimalToUnits(amount) ?? 0n;
const isAbove = (one: string, other: string) => unitsOf(one) > unitsOf(other);

function ProposeDialog({ pool, arrival, resolvable, onClose }: DecideDialogProps) {
  const mostOf = (end: UnexplainedEnd) =>
    isAbove(arrival.unexplained, resolvable[end]) ? resolvable[end] : arrival.unexplained;
  const possible = UNEXPLAINED_ENDS.filter((end) => isAbove(mostOf(end), '0'));
  const movements = useQuery(poolMovementsQuery(pool, 1));
  const free = movements.data?.data.filter(isFreeWithdrawal) ?? [];
  const form = useDialogForm({
    // The amount follows the way until one is typed.
    values: {
      kind: possible[0] ?? 'is_return',
      amount: null as string | null,
      to_address: '',
      evidence: '',
      movement_id: '',
    },
    send: ({ kind, amount, to_address, evidence, movement_id }, keyOf) => {
      const params = { id: pool.id, arrivalId: arrival.id };
      const body = {
        kind,
        amount: (amount ?? mostOf(kind)).trim(),
        evidence: evidence.trim(),
        ...(kind === 'sent_back' && { to_address: to_address.trim() }),
        ...(kind === 'is_return' && movement_id !== '' && { movement_id }),
      };
      return call('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions', {
        params,
        body,
        idempotencyKey: keyOf({ ...params, ...body }),
      });
    },
    done: () => ({
      tone: 'neutral',
      title: 'Decision proposed',
      text: 'Another super admin must confirm it.',
    }),
    reads: poolsKeys.all,
    onDone: onClose,
  });
  const { kind, amount } = form.values;
  return (
    <FormDialog
      form={form}
      title="Decide about arrival"
      text="No balance changes until another super admin confirms it."
      confirm="Propose"
      busy="Proposing..."
      onClose={onClose}
    >
      <SelectField
        label="What becomes of it"
        value={kind}
        options={UNEXPLAINED_ENDS.map((end) => ({ value: end, label: END_WORDS[end] }))}
        onChange={({ target }) => {
          form.set('kind', target.value as UnexplainedEnd);
          form.set('amount', null);
        }}
      />
      <TextField
        label="Amount (USDT)"
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        hint={`At most ${exactUsdt(mostOf(kind))} at present`}
        value={amount ?? mostOf(kind)}
        onChange={({ target }) => form.set('amount', target.value)}
      />
      {kind === 'is_return' && free.length > 0 && (
        <SelectField
          label="Withdrawal at Bybit"
          name="movement_id"
          options={[
            { value: '', label: 'None that Bybit lists' },
            ...free.map((each) => ({ value: each.id, label: withdrawalWords(each) })),
          ]}
        />
      )}
      {kind === 'sent_back' && (
        <TextField
          label="To address"
          name="to_address"
          hint="Ask the sender for it: what goes to the collecting wallet of an exchange is lost"
          autoComplete="off"
          spellCheck={false}
          isMono
        />
      )}
      <EvidenceField />
    </FormDialog>
  );
}

interface OpenDecisionProps {
  pool: PooledAccount;
  arrival: PoolArrival;
  decision: ArrivalDecision;
  onClose(): void;
}

/** The call that withdraws a decision, as a dialog's act. */
function useWithdrawal({ pool, arrival, decision, onClose }: OpenDecisionProps) {
  const params = { id: pool.id, arrivalId: arrival.id, decisionId: decision.id };
  return usePoolAct({
    request: { withdraw: params },
    send: (idempotencyKey) =>
      call('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/withdraw', {
        params,
        idempotencyKey,
      }),
    done: { title: 'Decision withdrawn' },
    onClose,
  });
}

function ReviewDialog(props: OpenDecisionProps) {
  const { pool, arrival, decision, onClose } = props;
  const params = { id: pool.id, arrivalId: arrival.id, decisionId: decision.id };
  const withdrawal = useWithdrawal(props);
  const act = usePoolAct({
    request: { confirm: params },
    send: (idempotencyKey) =>
      call('POST /api/pooled-accounts/{id}/arrivals/{arrivalId}/decisions/{decisionId}/confirm', {
        params,
        idempotencyKey,
      }),
    done: {
      title: 'Decision confirmed',
      text: decision.kind === 'sent_back' ? 'It is booked when its transfer is final.' : 'It is booked.',
    },
    onClose,
  });
  return (
    <AskDialog
      title="Review decision"
      text={
        decision.is_own
          ? 'You proposed it: another super admin must confirm it.'
          : 'Once you confirm it, it takes effect.'
      }
      confirm="Confirm decision"
      busy="Confirming..."
      {...act}
      error={act.error ?? withdrawal.error}
    >
      <DecisionFacts arrival={arrival} decision={decision} />
      <p className="mt-2">
        <Button
          look="quiet"
          className="-ms-3"
          aria-disabled={withdrawal.isBusy}
          onClick={() => !withdrawal.isBusy && withdrawal.onConfirm()}
        >
          {withdrawal.isBusy ? 'Withdrawing...' : 'Withdraw the proposal'}
        </Button>
      </p>
    </AskDialog>
  );
}

/** A transfer that was signed cannot be taken back. */
function SendingDialog(props: OpenDecisionProps) {
  const withdrawal = useWithdrawal(props);
  return (
    <AskDialog
      title="Withdraw decision"
      text="It is confirmed, and its transfer is under way. It can be withdrawn only while that transfer cannot be signed."
      confirm="Withdraw decision"
      busy="Withdrawing..."
      isDanger
      {...withdrawal}
    >
      <DecisionFacts {...props} />
    </AskDialog>
  );
}

function DecisionFacts({ arrival, decision }: Pick<OpenDecisionProps, 'arrival' | 'decision'>) {
  return (
    <Facts className="mt-3">
      <Fact label="Decision">
        {decisionWords(decision)}
        {decision.problem && (
          <span className="block text-xs text-caution">{problemWords(decision.problem)}</span>
        )}
      </Fact>
      <Fact label="Of an arrival of">
        <Money amount={arrival.amount} as="exact" />
      </Fact>
      {decision.to_address && (
        <Fact label="To address">
          <WholeAddress address={decision.to_address} />
        </Fact>
      )}
      <Fact label="Evidence">{decision.evidence}</Fact>
      <Fact label="Proposed by">
        {decision.requested_by}{' '}
        <span className="text-muted">
          · <When at={decision.at} />
        </span>
      </Fact>
    </Facts>
  );
}
