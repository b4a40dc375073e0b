import { type KeyOf, type Outcome, useAct } from '../../../ui/form/use-act.ts';
import { peopleKeys } from '../people-queries.ts';

/** An act on an account, in the form of `AskDialog`. It reads people again afterwards. */
export const usePersonAct = <T>(
  act: Omit<Outcome<T, undefined>, 'reads'> & { send(keyOf: KeyOf): Promise<T> },
) => useAct({ ...act, reads: peopleKeys.all });
