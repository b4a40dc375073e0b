import type { CallAnswer } from '@copydesk/contract';
import { isOptional } from '@copydesk/domain/setup';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../../lib/api/api.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import type { Tone } from '../../../ui/feedback/badge.tsx';
import { State } from '../../../ui/feedback/state.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { communitiesKeys } from '../communities-keys.ts';
import type { CommunityTab } from '../settings-search.ts';

type Checked = CallAnswer<'GET /api/super-admin/communities/{id}/setup-checklist'>['data'][number];

/** `act`: what does the step, and the tab where it is done; the worker does the one without. */
const STEPS: Record<Checked['step'], { title: string; act?: { text: string; tab: CommunityTab } }> = {
  provider: { title: 'Provider', act: { text: 'Link a provider', tab: 'settings' } },
  split: { title: 'Split', act: { text: 'Edit the split', tab: 'settings' } },
  payout_addresses: { title: 'Payout addresses', act: { text: 'See the addresses', tab: 'money' } },
  wallet: { title: 'Wallet' },
  bot: { title: 'Bot', act: { text: 'See the bot', tab: 'bot' } },
  subscription: { title: 'Subscription', act: { text: 'See the subscription', tab: 'settings' } },
  trader: { title: 'First trader', act: { text: 'See the traders', tab: 'traders' } },
};

const STATES: Record<Checked['state'], { label: string; tone: Tone }> = {
  done: { label: 'Done', tone: 'positive' },
  missing: { label: 'To do', tone: 'caution' },
  wrong: { label: 'Not working', tone: 'negative' },
};

const OPTIONAL = { label: 'Optional', tone: 'neutral' } as const;

interface CommunityChecklistProps {
  community: { id: string; is_archived: boolean };
}

/** What a community still needs before its first payout; nothing once all is done, or before it is known. */
export function CommunityChecklist({ community: { id, is_archived } }: CommunityChecklistProps) {
  const { data } = useQuery({ ...checklistQuery(id), enabled: !is_archived });
  const left = data?.filter((step) => step.state !== 'done' && !isOptional(step)).length ?? 0;
  if (!data || left === 0 || is_archived) return null;
  return (
    <Panel
      title="Set-up"
      note={`${formatCount(data.length - left)} of ${formatCount(data.length)} steps are done`}
      flush
    >
      <ul aria-label="Steps of the set-up">
        {data.map((step) => (
          <Step key={step.step} {...step} communityId={id} />
        ))}
      </ul>
    </Panel>
  );
}

function Step({ step, state, text, communityId }: Checked & { communityId: string }) {
  const { title, act } = STEPS[step];
  const { label, tone } = isOptional({ step, state }) ? OPTIONAL : STATES[state];
  return (
    <li className="flex items-start gap-x-4 border-t border-line px-4 py-2 first:border-t-0 max-sm:flex-wrap">
      <span className="w-36 shrink-0 font-medium max-sm:flex-1">{title}</span>
      <span className="w-28 shrink-0 max-sm:w-auto">
        <State tone={tone}>{label}</State>
      </span>
      <span className="min-w-0 flex-1 text-pretty break-words text-muted max-sm:basis-full">{text}</span>
      {state !== 'done' && act && (
        <Link
          to="/community-settings/$communityId"
          params={{ communityId }}
          search={{ tab: act.tab }}
          state={(before) => before}
          replace
          resetScroll={false}
          className="shrink-0 rounded text-accent hover:underline"
        >
          {act.text}
        </Link>
      )}
    </li>
  );
}

/** Steps are done on other tabs, by the worker, and by the trader who joins; no event covers all of them. */
const FOLLOW_MS = 15_000;

const checklistQuery = (id: string) =>
  queryOptions({
    queryKey: [...communitiesKeys.record(id), 'setup'],
    staleTime: 10_000,
    refetchOnMount: true,
    queryFn: async ({ signal }) =>
      (await call('GET /api/super-admin/communities/{id}/setup-checklist', { params: { id }, signal })).data,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state !== 'done') ? FOLLOW_MS : false,
  });
