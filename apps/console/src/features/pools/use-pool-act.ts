import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../lib/api-error.ts';
import { useOnceKey } from '../../lib/once-key.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { poolsKeys } from './pools-queries.ts';

interface PoolAct<Answer> {
  /** The whole request: while it is the same, a repetition takes effect once. */
  request: object;
  send(idempotencyKey: string): Promise<Answer>;
  /** What the server has done when it answers. */
  done: { title: string; text?: string } | ((answer: Answer) => { title: string; text?: string });
  onClose(): void;
  onError?: (error: Error) => void;
}

/**
 * An act that a dialog asks to confirm. Every figure of pools is read again after it, whatever came of it.
 * @returns the properties of the dialog that depend on it
 */
export function usePoolAct<Answer>({ request, send, done, onClose, onError }: PoolAct<Answer>) {
  const client = useQueryClient();
  const once = useOnceKey();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(once.keyOf(request)),
    onSuccess: (answer) => {
      toast({ tone: 'neutral', ...(typeof done === 'function' ? done(answer) : done) });
      onClose();
    },
    onError: (failure) => {
      once.failed(failure);
      onError?.(failure);
    },
    onSettled: () => client.invalidateQueries({ queryKey: poolsKeys.all }),
  });
  return { isBusy: isPending, error: error ? messageOf(error) : null, onConfirm: () => mutate(), onClose };
}
