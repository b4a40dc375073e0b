import { ATTENTION_TABS, type AttentionTab } from '@copydesk/domain/attention';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useCallback, useMemo, useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { readAgain } from '../../lib/api/read-again.ts';
import { formatCount } from '../../lib/format/numbers.ts';
import { useLastPage } from '../../lib/list/use-last-page.ts';
import { ATTENTION_KEY } from '../../lib/live/attention-key.ts';
import { useCan } from '../../lib/rights.ts';
import { MessagePanel } from '../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { FilterControls } from '../../ui/list/filter-controls.tsx';
import { CountTabs } from '../../ui/table/count-tabs.tsx';
import { Pager } from '../../ui/table/pager.tsx';
import { PlainTable } from '../../ui/table/plain-table/plain-table.tsx';
import { SkeletonTable } from '../../ui/table/plain-table/skeleton-table.tsx';
import { attentionColumns, itemWords, type RowAct } from './attention-columns.tsx';
import { type AttentionItem, attentionQuery, sendMark } from './attention-queries.ts';
import { type AttentionSearch, attentionList } from './attention-search.ts';
import { HandOverDialog, SnoozeDialog } from './mark-dialogs.tsx';
import type { ShownKinds } from './shown-kind.ts';

const PANEL_ID = 'attention-panel';
const LABELS: Record<AttentionTab, string> = { you: 'You', others: 'Others', snoozed: 'Snoozed' };
const EMPTY: Record<AttentionTab, { title: string; text: string }> = {
  you: {
    title: 'Nothing waits for you',
    text: 'What needs a person appears here, and goes when its cause goes.',
  },
  others: {
    title: 'Nothing waits for others',
    text: 'Items of owners, other super admins and whoever took one appear here.',
  },
  snoozed: {
    title: 'Nothing is snoozed',
    text: 'A snoozed item comes back at its end, or when its cause changes.',
  },
};

interface AttentionPanelProps {
  kinds: ShownKinds;
  search: AttentionSearch;
  onChange(change: AttentionSearch, how?: { replace: boolean }): void;
}

/** What needs a person: whose turn it is, and the next act. */
export function AttentionPanel({ kinds, search, onChange }: AttentionPanelProps) {
  const { tab = 'you', group } = search;
  const { page, rows } = attentionList.complete(search);
  const { data, error, refetch, isPlaceholderData } = useQuery(
    attentionQuery({
      tab,
      ...(group && { group }),
      limit: String(rows),
      offset: String((page - 1) * rows),
    }),
  );
  const [asked, setAsked] = useState<{ item: AttentionItem; act: RowAct } | null>(null);
  const mark = useMark();
  const mayMark = useCan('traders:write');
  const columns = useMemo(
    () =>
      attentionColumns(kinds, {
        mayMark,
        onAct: (item, act) => {
          if (act === 'take' || act === 'give_back' || act === 'wake') mark({ item, act });
          else setAsked({ item, act });
        },
      }),
    [kinds, mark, mayMark],
  );
  const toPage = useCallback(
    (to: number) => onChange({ page: to === 1 ? undefined : String(to) }, { replace: true }),
    [onChange],
  );
  const total = data?.meta.total;
  useLastPage({ page, rows, total: isPlaceholderData ? undefined : total }, toPage);
  const close = () => setAsked(null);
  const asks = asked && { item: asked.item, words: itemWords(kinds, asked.item), onClose: close };
  const act = asked && kinds[asked.item.kind].act(asked.item);
  return (
    <section
      aria-label="Attention"
      className="border border-line bg-surface max-sm:-mx-4 max-sm:border-x-0 sm:rounded-lg"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4">
        <CountTabs
          label="Whose turn it is"
          panelId={PANEL_ID}
          active={tab}
          tabs={ATTENTION_TABS.map((id) => ({
            id,
            label: LABELS[id],
            count: data && formatCount(data.meta.tabs[id]),
          }))}
          onChange={(to) =>
            onChange({ tab: to === 'you' ? undefined : to, page: undefined, group: undefined })
          }
        />
        <div className="ms-auto flex items-center gap-2 py-1">
          <FilterControls
            filters={attentionList.filters}
            values={{ group }}
            sources={{}}
            onChange={(change) => onChange({ ...change, page: undefined })}
          />
        </div>
      </div>
      <div id={PANEL_ID} role="tabpanel" aria-labelledby={`${PANEL_ID}-${tab}`}>
        <QueryState
          error={error && !data ? { title: 'This could not be loaded', message: messageOf(error) } : null}
          onRetry={() => void refetch()}
          isLoading={!data && !error}
          loading={<SkeletonTable columns={columns} rows={8} />}
          isEmpty={data?.data.length === 0}
          empty={
            <MessagePanel
              icon={CircleCheck}
              title={group ? 'Nothing of this group' : EMPTY[tab].title}
              text={group ? 'Other groups may have something.' : EMPTY[tab].text}
            />
          }
        >
          <PlainTable
            label={`What waits, ${LABELS[tab]}: the most urgent first`}
            columns={columns}
            rows={data?.data ?? []}
            keyOf={({ kind, subject, provider_id }) => `${kind}/${subject}/${provider_id}`}
            isStale={isPlaceholderData}
          />
          {(total ?? 0) > rows && <Pager page={page} pageRows={rows} total={total ?? 0} onChange={toPage} />}
        </QueryState>
      </div>
      {asks && asked.act === 'snooze' && <SnoozeDialog {...asks} />}
      {asks && asked.act === 'hand_over' && <HandOverDialog {...asks} />}
      {asked?.act === 'open' && act && 'Dialog' in act && <act.Dialog item={asked.item} onClose={close} />}
    </section>
  );
}

const DONE = { take: 'Taken', give_back: 'Given back', wake: 'Awake again' } as const;

/** Acts without a question. Shows at once what another person did meanwhile. */
function useMark() {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ item, act }: { item: AttentionItem; act: keyof typeof DONE }) =>
      sendMark(item, { kind: act }),
    onSuccess: (_, { act }) => toast({ tone: 'positive', title: DONE[act] }),
    onError: (error) => toast({ tone: 'negative', title: 'Not done', text: messageOf(error) }),
    onSettled: readAgain(client, ATTENTION_KEY),
  });
  return mutate;
}
