import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../lib/api/api-error.ts';
import { readAgain } from '../../../lib/api/read-again.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { peopleKeys } from '../people-queries.ts';

interface PersonAct<T> {
  send(): Promise<T>;
  /** What is said once it is done; null says nothing. */
  done(result: T): { title: string; text: string; tone?: 'neutral' } | null;
  onDone(result: T): void;
  onError?: (error: Error) => void;
}

/** An act on an account, in the form of `AskDialog`. It reads people again afterwards. */
export function usePersonAct<T>({ send, done, onDone, onError }: PersonAct<T>) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: (result) => {
      const said = done(result);
      if (said) toast({ tone: 'positive', ...said });
      onDone(result);
    },
    ...(onError && { onError }),
    onSettled: readAgain(client, peopleKeys.all),
  });
  return {
    isBusy: isPending,
    error: error ? messageOf(error) : null,
    onConfirm: () => mutate(),
  };
}
