import { invalidate } from '../../lib/api/read-again.ts';
import { createAnnouncer } from '../../lib/live/announce-ends.ts';
import { endOffers, toast } from '../../ui/feedback/toast-store.ts';
import { type BulkActRow, bulkActsQuery, bulkRowsKey } from './bulk-queries.ts';
import { resultOf, wordsOf } from './bulk-texts.ts';

export const noteBulkAct = createAnnouncer<BulkActRow>({
  async read(client) {
    const rows = await client.fetchQuery({ ...bulkActsQuery, staleTime: 0 });
    void invalidate(client, { queryKey: bulkRowsKey });
    return rows;
  },
  endOf({ id, state, finished_at }) {
    // There is nothing left to undo once it has begun.
    if (state !== 'waiting') endOffers(id);
    // An act that was retried ends again.
    return state === 'done' ? `${id} ${finished_at}` : null;
  },
  say: (row) =>
    toast({
      tone: row.failed > 0 ? 'negative' : 'positive',
      title: wordsOf(row.act, row.status).title,
      text: resultOf(row),
    }),
});
