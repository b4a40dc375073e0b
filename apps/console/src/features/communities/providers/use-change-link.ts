import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readAgain } from '../../../lib/api/read-again.ts';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { communitiesKeys } from '../communities-queries.ts';

/** Sends a change of a community's providers, and says when it is done. */
export function useChangeLink<T>(
  send: (wanted: T) => Promise<unknown>,
  {
    title,
    text,
    onClose,
    onError,
  }: { title: string; text: string; onClose(): void; onError?: (error: Error) => void },
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      toast({ tone: 'positive', title, text });
      onClose();
    },
    ...(onError && { onError }),
    onSettled: readAgain(client, communitiesKeys.all),
  });
}
