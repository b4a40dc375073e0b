import { LISTS } from '@copydesk/domain/person';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { invalidate } from '../../lib/api/read-again.ts';
import { drafts, ownLists, setOwnLists } from '../../lib/list/own-lists.ts';
import { throttle } from '../../lib/throttle.ts';
import { receiveSettings } from '../../ui/form/change-settings.ts';

/** A person presses several settings in a row. */
const READ_EVERY_MS = 1_000;

/** After a change of settings, columns or views, perhaps in another tab or on another device: shows them here as well. */
export function readOwnSettings(client: QueryClient): void {
  void invalidate(client, { queryKey: ['saved-views'] });
  read();
}

const read = throttle(() => void readAgain().catch(() => {}), READ_EVERY_MS);

async function readAgain(): Promise<void> {
  const { person } = ownLists.get();
  const { data: me } = await call('GET /api/me');
  // Another person has signed in meanwhile.
  if (me.id !== person || ownLists.get().person !== person) return;
  receiveSettings(me.settings);
  // Columns that are being arranged here stay as they were read, so that the server finds that others changed them.
  const arranged = LISTS.filter((list) => drafts.get()[list] !== undefined);
  const present = ownLists.get().lists;
  setOwnLists({
    ...me,
    lists: { ...me.lists, ...Object.fromEntries(arranged.map((list) => [list, present[list]])) },
  });
}
