import type { AtOnce, Channel } from '@copydesk/domain/attention';
import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/api.ts';
import { messageOf } from '../../lib/api/api-error.ts';
import { usePersonSettings } from '../../lib/person-settings.ts';
import { QueryState } from '../../ui/feedback/query-state.tsx';
import { toast } from '../../ui/feedback/toast-store.ts';
import { SelectField } from '../../ui/form/select-field.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { type Wishes, wishesQuery } from './attention-mail-query.ts';
import { TelegramLine } from './telegram-line.tsx';

type Wish = Partial<Pick<Wishes, 'digest_hour' | 'at_once' | 'channel'>>;

const CHANGE = ['change-attention-mail'] as const;
const NEVER = 'never';
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));
const AT_ONCE: Record<AtOnce, string> = {
  nothing: 'Nothing',
  urgent: 'What is urgent',
  approvals: 'What is urgent, and approvals',
};

const CHANNELS: Record<Channel, string> = { mail: 'Mail', telegram: 'Telegram' };

function noteOf({ channel, is_possible: hasMails }: Wishes, zone: string): string {
  if (channel === 'mail' && !hasMails)
    return 'No mail server is set up: your choice is kept, and nothing is mailed until there is one.';
  const what = channel === 'mail' ? 'mail' : 'message';
  return `Hours are those of ${zone}. A ${what} names what waits and leads to the list: nothing is decided from it. At once means within a minute, and at most every ten minutes.`;
}

/** What the reader is told of what waits for it, away from the console. */
export function AttentionMailPanel() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(wishesQuery);
  const zone = usePersonSettings().time_zone.replaceAll('_', ' ');
  const { mutate: choose } = useMutation({
    mutationKey: CHANGE,
    // One after the other, so that the last answer has all choices.
    scope: { id: CHANGE[0] },
    mutationFn: (wish: Wish) => call('PATCH /api/me/attention-mail', { body: wish }),
    onSuccess: ({ data: saved }) => client.setQueryData(wishesQuery.queryKey, saved),
    onError: (failure) =>
      toast({ tone: 'negative', title: 'The setting could not be saved', text: messageOf(failure) }),
  });
  const choices = useMutationState({
    filters: { mutationKey: CHANGE, status: 'pending' },
    select: ({ state }) => state.variables as Wish,
  });
  // Shows choices while they are saved; a refusal puts the old value back.
  const shown = data && Object.assign({ ...data }, ...choices);
  return (
    <div className="mt-4 max-w-3xl">
      <Panel title="What waits for you" note={choices.length > 0 && <span role="status">Saving…</span>}>
        <QueryState
          small
          error={error && !data ? { title: 'This could not be loaded', message: messageOf(error) } : null}
          onRetry={() => void refetch()}
          isLoading={!data && !error}
          loading={<span className="skeleton block h-14 w-full" />}
          isEmpty={false}
          empty={null}
        >
          {shown && (
            <>
              <div className="grid gap-4 sm:grid-cols-3">
                <SelectField
                  label="Each day, what waits for you"
                  options={[{ value: NEVER, label: 'Never' }, ...HOURS]}
                  value={shown.digest_hour === null ? NEVER : String(shown.digest_hour)}
                  onChange={({ target: { value } }) =>
                    choose({ digest_hour: value === NEVER ? null : Number(value) })
                  }
                />
                <SelectField
                  label="At once"
                  options={Object.entries(AT_ONCE).map(([value, label]) => ({ value, label }))}
                  value={shown.at_once}
                  onChange={({ target }) => choose({ at_once: target.value as AtOnce })}
                />
                <SelectField
                  label="By"
                  options={Object.entries(CHANNELS)
                    .filter(([value]) => value === 'mail' || shown.telegram.chat)
                    .map(([value, label]) => ({ value, label }))}
                  value={shown.channel}
                  onChange={({ target }) => choose({ channel: target.value as Channel })}
                />
              </div>
              <p className="mt-3 text-xs text-pretty text-muted">{noteOf(shown, zone)}</p>
              <TelegramLine telegram={shown.telegram} hasMails={shown.is_possible} />
            </>
          )}
        </QueryState>
      </Panel>
    </div>
  );
}
