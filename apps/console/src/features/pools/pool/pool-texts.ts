import type { FlowRefusal } from '@copydesk/domain/pools';
import { numberFormat } from '../../../lib/format/numbers.ts';
import { exactUsdt } from '../../../lib/format/usdt.ts';
import type { PooledAccount, PoolMember, PoolTransaction } from '../pools-queries.ts';

const percent = numberFormat({
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  roundingMode: 'floor',
});

/** A member's part of the pool: `12.34%`. */
export const shareWords = (percentage: string) => `${percent(percentage)}%`;

/** The name of a member: the reference number, else the Telegram name. */
export function memberName({ reference_number, telegram_username }: PoolMember['trader']): string {
  return reference_number ?? (telegram_username ? `@${telegram_username}` : 'No reference number');
}

export const FEE_WORDS: Record<PooledAccount['fee_basis'], string> = {
  net_carry: 'Fees on profits beyond carried losses',
  gross_winners: 'Fees on all profitable positions',
};

export const KIND_WORDS: Record<PoolTransaction['kind'], string> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  profit: 'Profit',
  loss: 'Loss',
  fee: 'Fee',
};

export const STATUS_LOOKS = {
  pending: { tone: 'neutral', text: 'Pending' },
  completed: { tone: 'positive', text: 'Completed' },
  returned: { tone: 'neutral', text: 'Returned' },
  refused: { tone: 'negative', text: 'Refused' },
  cancelled: { tone: 'neutral', text: 'Cancelled' },
} as const satisfies Record<PoolTransaction['status'], object>;

/** Why a withdrawal was refused, and what could have been withdrawn; null: it was not. */
export function refusalWords({
  refusal,
  available,
}: {
  refusal: FlowRefusal | null;
  available: string | null;
}): string | null {
  if (refusal === null) return null;
  if (refusal === 'nothing_to_withdraw') return 'Nothing was available';
  if (refusal === 'amount_above_capital')
    return `More than the virtual balance${available === null ? '' : `: ${exactUsdt(available)} was available`}`;
  return 'Not possible in the state that the pool was in';
}
