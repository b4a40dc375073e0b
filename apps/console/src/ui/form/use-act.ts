import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { useOnceKey } from '../../lib/api/once-key.ts';
import { readAgain } from '../../lib/api/read-again.ts';
import { toast } from '../feedback/toast-store.ts';

interface Act<T> {
  /** @param keyOf the key of a request, the same until the server has answered: a repeat takes effect once */
  send(keyOf: (request: unknown) => string): Promise<T>;
  /** The message once it is done. */
  done(result: T): { title: string; text?: string; tone?: 'neutral' | 'negative' };
  /** What is read again afterwards, also when it failed: the refusal may come from another person's change. */
  reads: QueryKey;
  onDone(): void;
  onError?: (error: Error) => void;
}

/** An act of a person, in the form of `AskDialog`. */
export function useAct<T>({ send, done, reads, onDone, onError }: Act<T>) {
  const client = useQueryClient();
  const once = useOnceKey();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(once.keyOf),
    onSuccess: (result) => {
      once.done();
      toast({ tone: 'positive', ...done(result) });
      onDone();
    },
    onError: (failure) => {
      once.failed(failure);
      onError?.(failure);
    },
    onSettled: readAgain(client, reads),
  });
  // Two clicks within a moment meet the same picture, whose button does not know yet that it was pressed.
  const isUnderWay = useRef(false);
  const onConfirm = () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(undefined, {
      onSettled: () => {
        isUnderWay.current = false;
      },
    });
  };
  return { isBusy: isPending, error: error ? messageOf(error) : null, onConfirm };
}
