import { ATTENTION_GROUPS, ATTENTION_TABS, type AttentionGroup } from '@copydesk/domain/attention';
import { definePagedList } from '../../lib/list/define-paged-list.ts';
import { among, choice } from '../../lib/list/filters.ts';

const GROUP_LABELS: Record<AttentionGroup, string> = {
  money_out: 'Money out',
  approvals: 'Approvals',
  pools: 'Pools',
  keys: 'Keys',
  messages: 'Messages',
  invoices: 'Invoices',
  access: 'Access',
  system: 'System',
};
const groups = ATTENTION_GROUPS.map((value) => ({ value, label: GROUP_LABELS[value] }));

export const attentionList = definePagedList({
  filters: { group: choice('Group', 'group', groups) },
  rest: { tab: among(ATTENTION_TABS) },
  kept: ['tab'],
  // Always the most urgent first.
  columns: ['urgency'],
  sizes: [50],
  rows: 50,
});

/** The parameters of the screen's URL. A missing one has its default. */
export type AttentionSearch = ReturnType<typeof attentionList.read>;
