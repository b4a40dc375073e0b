import type { PersonSettings } from '@copydesk/domain/person';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { personSettings } from '../../lib/person-settings.ts';
import { toast } from '../feedback/toast-store.ts';

/** Settings that change: one or several at once. */
type SettingsChange = { [Name in keyof PersonSettings]?: PersonSettings[Name] };

/** Changes settings of the person, on screen at once. What the server refuses is put back. */
export async function changeSettings(change: SettingsChange): Promise<void> {
  const before = personSettings.get();
  personSettings.set({ ...before, ...change });
  try {
    replace(change, (await call('PATCH /api/me/settings', { body: change })).data);
  } catch (error) {
    replace(change, before);
    toast({ tone: 'negative', title: 'The setting could not be saved', text: messageOf(error) });
    throw error;
  }
}

/** The same for a form, which says how it goes. */
export const useChangeSettings = () => useMutation({ mutationFn: changeSettings });

/** Sets what a change named to other values, unless a later change has named it as well. */
function replace(change: SettingsChange, values: PersonSettings): void {
  const present = personSettings.get();
  const names = Object.keys(change) as (keyof PersonSettings)[];
  const unchanged = names.filter((name) => present[name] === change[name]);
  personSettings.set({ ...present, ...Object.fromEntries(unchanged.map((name) => [name, values[name]])) });
}
