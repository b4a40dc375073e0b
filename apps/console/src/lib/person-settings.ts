import { PERSON_DEFAULTS, type PersonSettings } from '@copydesk/domain/person';
import { createStore, useStore } from './store.ts';

/** What the person on screen chose for itself. Formats read it whenever they write something. */
export const personSettings = createStore<PersonSettings>(PERSON_DEFAULTS);

export const usePersonSettings = (): PersonSettings => useStore(personSettings);

/** Changes with the settings that format texts. Components keyed by it are mounted again. */
export function useFormatKey(): string {
  const { time_zone, numbers, dates } = usePersonSettings();
  return `${time_zone} ${numbers} ${dates}`;
}
