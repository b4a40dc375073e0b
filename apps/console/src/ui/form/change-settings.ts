import type { PersonSettings } from '@copydesk/domain/person';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { personSettings } from '../../lib/person-settings.ts';
import { toast } from '../feedback/toast-store.ts';

/** Settings that change: one or several at once. */
type SettingsChange = { [Name in keyof PersonSettings]?: PersonSettings[Name] };

/** Changes that wait for their answer, and what the server has beside them. */
const underWay = new Set<SettingsChange>();
let stored = personSettings.get();

/** Changes settings of the person, on screen at once. A refusal puts the earlier value back. */
export async function changeSettings(change: SettingsChange): Promise<void> {
  if (underWay.size === 0) stored = personSettings.get();
  underWay.add(change);
  personSettings.set({ ...personSettings.get(), ...change });
  try {
    const { data } = await call('PATCH /api/me/settings', { body: change });
    stored = { ...stored, ...pick(data, namesOf(change)) };
  } catch (error) {
    toast({ tone: 'negative', title: 'The setting could not be saved', text: messageOf(error) });
    throw error;
  } finally {
    underWay.delete(change);
    // A later change of the same is still on its way, and stays on screen.
    const present = personSettings.get();
    const settled = namesOf(change).filter((name) => present[name] === change[name]);
    personSettings.set({ ...present, ...pick(stored, settled) });
  }
}

/** Settings that were read again: they are shown, but for those that are being changed here. */
export function receiveSettings(read: PersonSettings): void {
  stored = read;
  personSettings.set(Object.assign({ ...read }, ...underWay));
}

const namesOf = (change: SettingsChange) => Object.keys(change) as (keyof PersonSettings)[];
const pick = (settings: PersonSettings, names: readonly (keyof PersonSettings)[]): Partial<PersonSettings> =>
  Object.fromEntries(names.map((name) => [name, settings[name]]));

/** The same for a form, which says how it goes. */
export const useChangeSettings = () => useMutation({ mutationFn: changeSettings });
