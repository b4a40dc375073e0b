import { formatDate } from '@copydesk/domain';
import { exactUsdt, formatUsdt, typeWords } from '../../../lib/payout-words.ts';
import { fullTime, minuteWords } from '../../../lib/read-time.ts';
import { TxLink } from '../../../ui/tx-link.tsx';
import { type ChosenAct, PayoutMenu } from '../acts/payout-menu.tsx';
import { RecipientAddress } from '../recipient-address.tsx';
import type { SweepOperation } from '../sweeps-queries.ts';
import { SweepState } from './sweep-state.tsx';

export const CARD_PX = 133;

/** A payout at phone width. */
export function sweepCard(explorerUrl: string, onAct: ((chosen: ChosenAct) => void) | null) {
  return (sweep: SweepOperation, isActive: boolean) => {
    const tabIndex = isActive ? 0 : -1;
    return (
      <span className="flex flex-col gap-1">
        <span className="flex items-center justify-between gap-3 font-medium">
          <span className="inline-block truncate first-letter:uppercase">
            {typeWords(sweep.recipient_type)}
            {sweep.community && <span className="font-normal text-muted"> · {sweep.community.name}</span>}
          </span>
          <span className="shrink-0 tabular-nums" title={exactUsdt(sweep.total_amount)}>
            {formatUsdt(sweep.total_amount)} USDT
          </span>
        </span>
        <span className="flex h-6 items-center justify-between gap-3">
          <SweepState sweep={sweep} />
          <span className="shrink-0 text-xs text-muted tabular-nums" title={fullTime(sweep.created_at)}>
            {formatDate(sweep.created_at)} {minuteWords(sweep.created_at)}
          </span>
        </span>
        <span className="flex h-6 items-center justify-between gap-3">
          <RecipientAddress address={sweep.recipient_address} tabIndex={tabIndex} />
          {onAct && <PayoutMenu sweep={sweep} tabIndex={tabIndex} onAct={onAct} />}
        </span>
        <span className="flex h-5 gap-4 text-xs text-muted">
          <span className="flex items-center gap-1.5">
            Consolidate
            <TxLink
              hash={sweep.consolidate_transaction_hash}
              what="Consolidate"
              explorerUrl={explorerUrl}
              tabIndex={tabIndex}
            />
          </span>
          <span className="flex items-center gap-1.5">
            Distribute
            <TxLink
              hash={sweep.distribute_transaction_hash}
              what="Distribute"
              explorerUrl={explorerUrl}
              tabIndex={tabIndex}
            />
          </span>
        </span>
      </span>
    );
  };
}
