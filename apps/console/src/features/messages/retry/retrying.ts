import type { CallAnswer } from '@copydesk/contract';
import type { RetryReason } from '@copydesk/domain/messages';
import type { QueryKey } from '@tanstack/react-query';
import { formatCount } from '../../../lib/format/numbers.ts';
import type { RowSelection } from '../../../lib/list/row-selection.ts';
import type { KeyOf } from '../../../ui/form/use-act.ts';

export type RetryPreview = CallAnswer<'POST /api/messages/retry-preview'>['data'];
type Retried = CallAnswer<'POST /api/messages/retry'>['data'];

/** A selection of messages, and the calls that send it again: each list has its own. */
export interface Retrying {
  /** What is selected: of another selection the preview is another one. */
  key: QueryKey;
  preview(signal: AbortSignal): Promise<RetryPreview>;
  /** @param expected how many can be sent again, as it was confirmed */
  order(expected: number, keyOf: KeyOf): Promise<Retried>;
  /** What is read again afterwards. */
  reads: QueryKey;
  /** What sending one again means. */
  means: string;
}

/** What is sent of a selection: messages by their ids, or all failed ones that match less some. */
export const selectedOf = <Query>({ isAll, ids }: RowSelection, query: Query) =>
  isAll ? { matching: { query, except: [...ids] } } : { ids: [...ids] };

export const messagesWord = (n: number) => (n === 1 ? '1 message' : `${formatCount(n)} messages`);

/** Why a message stays as it is. */
export const RETRY_REASONS: Record<RetryReason, string> = {
  not_failed: 'sent or waiting by now',
  no_chat: 'without a Telegram ID',
  recalled: 'about an invoice that was recalled',
  gone: 'no longer there',
};
