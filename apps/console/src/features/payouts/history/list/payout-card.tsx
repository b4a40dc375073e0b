import { typeWords } from '../../../../lib/format/payout-texts.ts';
import type { RowSelecting } from '../../../../lib/list/row-selection.ts';
import { Name } from '../../../../ui/figures/linked.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { TxLink } from '../../../../ui/figures/tx-link.tsx';
import { When } from '../../../../ui/figures/when.tsx';
import { SelectBox } from '../../../../ui/list/select-column.tsx';
import { type ChosenAct, PayoutMenu } from '../acts/payout-menu.tsx';
import type { Payout } from '../history-queries.ts';
import { RecipientAddress } from '../recipient-address.tsx';
import { selectableName } from './payout-columns.tsx';
import { PayoutState } from './payout-state.tsx';

export const CARD_PX = 133;

/** A payout at phone width. */
export function payoutCard(
  explorerUrl: string,
  onAct: ((chosen: ChosenAct) => void) | null,
  selecting: RowSelecting | null,
) {
  return (payout: Payout, isActive: boolean) => {
    const tabIndex = isActive ? 0 : -1;
    const name = selectableName(payout);
    return (
      <span className="flex flex-col gap-1">
        <span className="flex items-center justify-between gap-3 font-medium">
          <span className="flex min-w-0 items-center gap-2.5">
            {selecting && name && (
              <SelectBox id={payout.id} name={name} selecting={selecting} tabIndex={tabIndex} />
            )}
            <span className="inline-block truncate first-letter:uppercase">
              {typeWords(payout.recipient_type)}
              {payout.community && (
                <span className="font-normal text-muted">
                  {' '}
                  · <Name plain="The row opens the payout, which links it">{payout.community.name}</Name>
                </span>
              )}
            </span>
          </span>
          <Money amount={payout.total_amount} className="shrink-0" />
        </span>
        <span className="flex h-6 items-center justify-between gap-3">
          <PayoutState payout={payout} />
          <When at={payout.created_at} as="date" className="shrink-0 text-xs text-muted" />
        </span>
        <span className="flex h-6 items-center justify-between gap-3">
          <RecipientAddress address={payout.recipient_address} tabIndex={tabIndex} />
          {onAct && <PayoutMenu payout={payout} tabIndex={tabIndex} onAct={onAct} />}
        </span>
        <span className="flex h-5 gap-4 text-xs text-muted">
          <span className="flex items-center gap-1.5">
            Consolidate
            <TxLink
              hash={payout.consolidate_transaction_hash}
              what="Consolidate"
              explorerUrl={explorerUrl}
              tabIndex={tabIndex}
            />
          </span>
          <span className="flex items-center gap-1.5">
            Distribute
            <TxLink
              hash={payout.distribute_transaction_hash}
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
