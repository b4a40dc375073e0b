import { shortId } from '@copydesk/domain/money';
import { call } from '../../../../lib/api/api.ts';
import { formatCount } from '../../../../lib/format/numbers.ts';
import { formatUsdt } from '../../../../lib/format/usdt.ts';
import { AskDialog } from '../../../../ui/form/ask-dialog.tsx';
import { useAct } from '../../../../ui/form/use-act.ts';
import { type PayoutDetail, payoutHistoryKey } from '../history-queries.ts';
import { alsoPaidWords, cancelledWords, retriedWords } from '../panel/problem-texts.ts';
import type { PayoutAct } from './offered-acts.ts';
import { ResendDialog } from './resend-dialog.tsx';

const WORDS = {
  retry: { title: 'Retry payout', confirm: 'Pay again', busy: 'Ordering...', done: 'Payout ordered again' },
  cancel: {
    title: 'Cancel payout',
    confirm: 'Cancel payout',
    busy: 'Cancelling...',
    done: 'Payout cancelled',
  },
} as const;

type Asked = Exclude<PayoutAct, 'resend'>;

function question(act: Asked, { total_amount, recipient_address, retried_with }: PayoutDetail): string {
  const what = `${formatUsdt(total_amount)} USDT to ${shortId(recipient_address)}`;
  return act === 'retry'
    ? `${what} is paid again. It is certain that nothing was paid before.${alsoPaidWords(retried_with)}`
    : `${what} is cancelled unless it is already on chain. It can be paid again afterwards.`;
}

interface ActDialogProps {
  payout: PayoutDetail;
  act: PayoutAct;
  onClose(): void;
}

/** Asks for confirmation of an action on a payout, and reports the result. */
export function PayoutActDialog({ payout, act, onClose }: ActDialogProps) {
  return act === 'resend' ? (
    <ResendDialog payout={payout} onClose={onClose} />
  ) : (
    <AskedDialog payout={payout} act={act} onClose={onClose} />
  );
}

function AskedDialog({ payout, act, onClose }: ActDialogProps & { act: Asked }) {
  const { id } = payout;
  const perform = useAct({
    send: async (keyOf) => {
      const input = { params: { id }, idempotencyKey: keyOf({ id, act }) };
      if (act === 'cancel') {
        const { data } = await call('POST /api/sweep-operations/{id}/cancel', input);
        return { status: data.status, paid: 0 };
      }
      const { data } = await call('POST /api/sweep-operations/{id}/retry', input);
      return { status: data.status, paid: 1 + data.retried_with.length };
    },
    done: ({ status, paid }) => {
      const isAskedOnly = act === 'cancel' && status !== 'failed';
      const done = paid > 1 ? `${formatCount(paid)} payouts ordered again` : WORDS[act].done;
      return {
        title: isAskedOnly ? 'Cancellation requested' : done,
        text: act === 'retry' ? retriedWords(status) : cancelledWords(status),
      };
    },
    reads: payoutHistoryKey,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={WORDS[act].title}
      text={question(act, payout)}
      confirm={WORDS[act].confirm}
      busy={WORDS[act].busy}
      isDanger={act === 'cancel'}
      {...perform}
      onClose={onClose}
    />
  );
}
