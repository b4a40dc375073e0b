import { formatCount, numberFormat } from '../../../../lib/format/numbers.ts';
import { payableWords, problemWords, refusedWords } from '../../../../lib/format/payout-problem-texts.ts';
import { fullTime, readTime } from '../../../../lib/format/read-time.ts';
import type { Tone } from '../../../../ui/feedback/badge.tsx';
import { State } from '../../../../ui/feedback/state.tsx';
import { Address } from '../../../../ui/figures/address.tsx';
import { Count } from '../../../../ui/figures/linked.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { TxLink } from '../../../../ui/figures/tx-link.tsx';
import { bnb } from '../../payout-texts.ts';
import type { PayoutDetail } from '../history-queries.ts';
import { KIND_WORDS, STATE_WORDS } from './problem-texts.ts';

type Transfer = PayoutDetail['transfers'][number];
type Attempt = Transfer['attempts'][number];

const TONES: Record<Transfer['state'], Tone> = {
  planned: 'neutral',
  sent: 'accent',
  final: 'positive',
  reverted: 'negative',
  cancelled: 'negative',
  void: 'neutral',
};

const upTo3 = numberFormat({ maximumFractionDigits: 3 });
const gwei = (amount: string) => upTo3(amount);

function AttemptLine({ attempt, explorerUrl }: { attempt: Attempt; explorerUrl: string }) {
  const { receipt, broadcast_at, created_at, is_cancel, refusal, refusal_detail } = attempt;
  const at = broadcast_at ?? created_at;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 py-0.5 text-xs tabular-nums">
      <span className="flex items-center gap-2">
        <TxLink
          hash={attempt.hash}
          what={is_cancel ? 'Cancelling' : `Attempt ${attempt.attempt}`}
          explorerUrl={explorerUrl}
        />
        {is_cancel && <State tone="caution">Cancels it</State>}
        {receipt && !receipt.is_success && <State tone="negative">Reverted</State>}
      </span>
      <span className="text-muted">
        {receipt
          ? `Block ${formatCount(receipt.block_number)} · ${bnb(receipt.fee)} BNB`
          : `${broadcast_at ? 'Sent' : 'Signed'} ${readTime(at)} · up to ${gwei(attempt.max_fee_gwei)} gwei`}
      </span>
      <span className="sr-only">{fullTime(at)}</span>
      {refusal && (
        <span className="my-1 w-full rounded bg-caution-soft px-2 py-1 text-caution">
          {refusedWords(refusal)}
          {refusal_detail && <span className="mt-0.5 block font-mono break-words">{refusal_detail}</span>}
        </span>
      )}
    </li>
  );
}

function TransferItem({ transfer, explorerUrl }: { transfer: Transfer; explorerUrl: string }) {
  const { kind, state, amount, nonce, from_address, to_address, problem, problem_detail, attempts } =
    transfer;
  return (
    <li className="border-t border-line py-2 first:border-t-0 first:pt-0">
      <div className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{KIND_WORDS[kind]}</span>
          <State tone={TONES[state]}>{STATE_WORDS[state]}</State>
        </span>
        <Money amount={amount} as="bare" className="shrink-0" />
      </div>
      <div className="flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
        <Address address={from_address} what="address it comes from" />
        <span>to</span>
        <Address address={to_address} what="address it goes to" />
        {nonce !== null && <span className="ms-auto tabular-nums">Nonce {nonce}</span>}
      </div>
      {problem && (
        <p className="my-1 rounded bg-caution-soft px-2 py-1 text-xs text-caution">
          {payableWords(problem, problem_detail) ?? problemWords(problem)}
          {problem_detail && !payableWords(problem, problem_detail) && (
            <span className="mt-0.5 block font-mono break-words">{problem_detail}</span>
          )}
        </p>
      )}
      {attempts.length > 0 && (
        <ul aria-label="Attempts">
          {attempts.map((attempt) => (
            <AttemptLine key={attempt.hash} attempt={attempt} explorerUrl={explorerUrl} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The transfers of a payout, problematic ones first. */
export function Transfers({ payout, explorerUrl }: { payout: PayoutDetail; explorerUrl: string }) {
  const { transfers, transfer_count, is_imported } = payout;
  if (transfers.length === 0)
    return <p className="text-muted">{is_imported ? 'Imported without transfers' : 'No transfers yet'}</p>;
  return (
    <>
      <ul aria-label="Transfers">
        {transfers.map((transfer) => (
          <TransferItem key={transfer.id} transfer={transfer} explorerUrl={explorerUrl} />
        ))}
      </ul>
      {transfer_count > transfers.length && (
        <p className="pt-1 text-xs text-muted">
          <Count n={transfers.length} plain="They are listed above" /> of{' '}
          <Count n={transfer_count} plain="Some of them are listed above" />
        </p>
      )}
    </>
  );
}
