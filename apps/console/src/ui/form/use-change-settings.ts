import type { PersonSettings } from '@copydesk/domain/settings';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { personSettings } from '../../lib/person-settings.ts';
import { toast } from '../feedback/toast-store.ts';

/** Settings that change: one or several at once. */
export type SettingsChange = { [Name in keyof PersonSettings]?: PersonSettings[Name] };

/** Changes settings of the person, on screen at once. What the server refuses is put back. */
export function useChangeSettings() {
  return useMutation({
    mutationFn: async (change: SettingsChange) =>
      (await call('PATCH /api/me/settings', { body: change })).data,
    onMutate: (change) => {
      const before = personSettings.get();
      personSettings.set({ ...before, ...change });
      return before;
    },
    onSuccess: (saved, change) => replace(change, saved),
    onError: (error, change, before) => {
      if (before) replace(change, before);
      toast({ tone: 'negative', title: 'The setting could not be saved', text: messageOf(error) });
    },
  });
}

/** Sets what a change named to other values, unless a later change has named it as well. */
function replace(change: SettingsChange, values: PersonSettings): void {
  const present = personSettings.get();
  const names = Object.keys(change) as (keyof PersonSettings)[];
  const unchanged = names.filter((name) => present[name] === change[name]);
  personSettings.set({ ...present, ...Object.fromEntries(unchanged.map((name) => [name, values[name]])) });
}
