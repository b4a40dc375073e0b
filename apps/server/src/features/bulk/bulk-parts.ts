import type { BulkAct, BulkList, BulkReason } from '@copydesk/domain/bulk';
import type { RawBuilder } from 'kysely';
import type { Tx, WriteTx } from '../../platform/db/database.ts';

/** What an act has besides its traders. */
export interface ActParams {
  /** Of the act "status": the one that is set. */
  status: string | null;
}

/** An act on one trader, and the same question about many. */
interface ActPart {
  /**
   * `SELECT id, place, reason, before, amount_units FROM wanted`, for the traders that the caller sees;
   * `reason`: why the act would leave the trader unchanged.
   */
  plan(tx: Tx, params: ActParams): RawBuilder<unknown>;
  /**
   * Does the act, in a transaction of its own under the person's scope.
   * @returns null: it is done; else why the trader stays as it is
   */
  perform(
    tx: WriteTx,
    row: { traderId: string; before: string | null },
    params: ActParams,
  ): Promise<BulkReason | null>;
}

/** The acts, and the lists whose matches can be selected. The features that own them do not know this one. */
export interface BulkParts {
  acts: Readonly<Record<BulkAct, ActPart>>;
  /** `SELECT id` of the traders of a list in its order, each once. */
  lists: Readonly<Record<BulkList, (tx: Tx, query: Record<string, string>) => Promise<RawBuilder<unknown>>>>;
}
