import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { useOnceKey } from '../../lib/api/once-key.ts';
import { readAgain } from '../../lib/api/read-again.ts';
import { toast } from '../feedback/toast-store.ts';

/** The key of a request, the same until the server has answered: a repeat takes effect once. */
export type KeyOf = (request: unknown) => string;

interface Notice {
  title: string;
  text?: string;
  tone?: 'neutral' | 'negative';
}

/** What comes of an act, with values or without. */
export interface Outcome<T, V> {
  /** The message once it is done; null says nothing. */
  done(result: T, values: V): Notice | null;
  /** What is read again afterwards, also when it failed: the refusal may come from another person's change. */
  reads?: QueryKey;
  /** The act is under way until this has ended. */
  onDone(result: T, values: V): unknown;
  onError?(error: Error): void;
  /** Why it failed, in words of its own. */
  refusal?(error: Error): string;
}

/** Sends what a person has ordered, one at a time. */
export function useSend<V, T>(
  send: (values: V, keyOf: KeyOf) => Promise<T>,
  { done, reads, onDone, onError, refusal = messageOf }: Outcome<T, V>,
) {
  const client = useQueryClient();
  const once = useOnceKey();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (values: V) => send(values, once.keyOf),
    // Values may be secrets, which no cache keeps once their form is gone. Not at once: an act that is still under way is
    // looked at again after this time, over and over.
    gcTime: 1_000,
    onSuccess: async (result, values) => {
      once.done();
      const notice = done(result, values);
      if (notice) toast({ tone: 'positive', ...notice });
      await onDone(result, values);
    },
    onError: (failure) => {
      once.failed(failure);
      onError?.(failure);
    },
    ...(reads && { onSettled: readAgain(client, reads) }),
  });
  // Two quick clicks meet the same render, whose button is not disabled yet.
  const isUnderWay = useRef(false);
  const run = (values: V) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    mutate(values, {
      onSettled: () => {
        isUnderWay.current = false;
      },
    });
  };
  return {
    isBusy: isPending,
    error: error ? refusal(error) : null,
    /** The refusal itself, for what a dialog shows besides its text. */
    failure: error,
    run,
    /** Forgets a refusal. */
    reset,
  };
}

interface Act<T> extends Outcome<T, undefined> {
  send(keyOf: KeyOf): Promise<T>;
}

/** An act of a person, in the form of `AskDialog`. */
export function useAct<T>({ send, ...outcome }: Act<T>) {
  const { isBusy, error, failure, run } = useSend((_: undefined, keyOf) => send(keyOf), outcome);
  return { isBusy, error, failure, onConfirm: () => run(undefined) };
}
