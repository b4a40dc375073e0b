import { formatUsd } from '@copydesk/domain';
import type { CommunityDay } from './days-query.ts';

/** What the table beside the chart shows of a day. */
export const DAY_COLUMNS = [
  { header: 'AUM', textOf: ({ aum }: CommunityDay) => formatUsd(aum) },
  { header: 'Received', textOf: ({ received }: CommunityDay) => formatUsd(received) },
  { header: 'Paid out', textOf: ({ paid_out }: CommunityDay) => formatUsd(paid_out) },
];
