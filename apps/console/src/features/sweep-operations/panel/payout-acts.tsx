import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { useOnceKey } from '../../../lib/once-key.ts';
import { formatUsdt, shortAddress } from '../../../lib/payout-words.ts';
import { AskDialog } from '../../../ui/ask-dialog.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { type SweepDetail, sweepsKey } from '../sweeps-queries.ts';
import { cancelledWords, resendLabel, retriedWords } from './problem-words.ts';
import { ResendDialog } from './resend-dialog.tsx';

type Act = 'retry' | 'cancel';

const WORDS = {
  retry: { title: 'Retry payout', confirm: 'Pay again', busy: 'Ordering...', done: 'Payout ordered again' },
  cancel: {
    title: 'Cancel payout',
    confirm: 'Cancel payout',
    busy: 'Cancelling...',
    done: 'Payout cancelled',
  },
} as const;

function question(act: Act, { total_amount, recipient_address }: SweepDetail): string {
  const what = `${formatUsdt(total_amount)} USDT to ${shortAddress(recipient_address)}`;
  return act === 'retry'
    ? `${what} is paid again. It is certain that nothing was paid before.`
    : `${what} is taken back, if the chain has not taken it yet. It can be paid again afterwards.`;
}

/** What can be done about a payout now, each asked for first. For super admins. */
export function PayoutActs({ sweep }: { sweep: SweepDetail }) {
  const client = useQueryClient();
  const once = useOnceKey();
  const [asked, setAsked] = useState<Act | null>(null);
  const { id, can_retry, can_cancel, can_resend } = sweep;
  // At the same address a retry does it, where it may be.
  const isResendOffered = can_resend && (sweep.current_address !== null || !can_retry);
  const [isResending, setResending] = useState(false);
  const perform = useMutation({
    mutationFn: (act: Act) => {
      const input = { params: { id }, idempotencyKey: once.keyOf({ id, act }) };
      return act === 'retry'
        ? call('POST /api/sweep-operations/{id}/retry', input)
        : call('POST /api/sweep-operations/{id}/cancel', input);
    },
    onSuccess: ({ data: { status } }, act) => {
      once.done();
      const isAskedOnly = act === 'cancel' && status !== 'failed';
      toast({
        tone: 'positive',
        title: isAskedOnly ? 'Cancellation requested' : WORDS[act].done,
        text: act === 'retry' ? retriedWords(status) : cancelledWords(status),
      });
      setAsked(null);
    },
    onError: once.failed,
    onSettled: () => client.invalidateQueries({ queryKey: sweepsKey }),
  });
  const ask = (act: Act) => {
    perform.reset();
    setAsked(act);
  };
  return (
    <>
      {(can_retry || can_cancel || isResendOffered) && (
        <div className="flex flex-wrap gap-2 border-t border-line px-4 py-2.5">
          {can_retry && <Button onClick={() => ask('retry')}>Retry</Button>}
          {isResendOffered && <Button onClick={() => setResending(true)}>{resendLabel(sweep)}</Button>}
          {can_cancel && (
            <Button look="danger" onClick={() => ask('cancel')}>
              Cancel
            </Button>
          )}
        </div>
      )}
      {isResending && <ResendDialog sweep={sweep} onClose={() => setResending(false)} />}
      {asked && (
        <AskDialog
          title={WORDS[asked].title}
          text={question(asked, sweep)}
          confirm={WORDS[asked].confirm}
          busy={WORDS[asked].busy}
          isDanger={asked === 'cancel'}
          isBusy={perform.isPending}
          error={perform.error ? messageOf(perform.error) : null}
          onConfirm={() => perform.mutate(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
