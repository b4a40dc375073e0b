import { attentionCalls, attentionEntry } from '@copydesk/contract/attention';
import type { AttentionKind } from '@copydesk/domain/attention';
import type { Tx } from '../../platform/db/database.ts';
import { listWhoMay, type NamedPerson } from '../../platform/identity/present-scope.ts';

/** The people who see an item of a kind and provider and may act on it, by name. */
export const listSeers = (tx: Tx, kind: AttentionKind, providerId: string | null): Promise<NamedPerson[]> =>
  listWhoMay(tx, [attentionEntry(kind), attentionCalls['PUT /api/attention/mark']], providerId);
