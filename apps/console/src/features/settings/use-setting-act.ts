import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../lib/api-error.ts';
import { toast } from '../../ui/feedback/toast-store.ts';
import { settingsKeys } from './settings-queries.ts';

interface SettingAct<T> {
  send(): Promise<T>;
  done(result: T): { title: string; text: string };
  onDone(): void;
}

/** An act on a setting, in the form of `AskDialog`. It reads the settings again afterwards. */
export function useSettingAct<T>({ send, done, onDone }: SettingAct<T>) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: (result) => {
      toast({ tone: 'positive', ...done(result) });
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: settingsKeys.all }),
  });
  return { isBusy: isPending, error: error ? messageOf(error) : null, onConfirm: () => mutate() };
}
