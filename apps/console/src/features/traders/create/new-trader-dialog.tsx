import type { CallInput } from '@copydesk/contract';
import { cleanLine } from '@copydesk/domain/text';
import { queryOptions, useQuery } from '@tanstack/react-query';
import Users from 'lucide-react/icons/users';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { Dialog } from '../../../ui/form/dialog.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { PersonFields, personErrors, personOf } from '../person-fields.tsx';
import { tradersKeys } from '../traders-queries.ts';

type NewTrader = CallInput<'POST /api/traders'>['body'];

interface NamedCommunity {
  id: string;
  name: string;
  is_archived: boolean;
}

/** The communities that the person sees, once they are loaded. */
export interface Directory {
  data: readonly NamedCommunity[] | undefined;
  error: Error | null;
  refetch(): unknown;
}

interface NewTraderDialogProps {
  directory: Directory;
  /** That of the list's filter, which is chosen at first. */
  communityId: string | undefined;
  onClose(): void;
  onCreated(traderId: string): void;
}

const WORDS = {
  title: 'New trader',
  text: 'It is added as pending. Its exchange accounts are connected on its page.',
};

/** Adds a trader to a community, under a provider that its traders may choose. */
export default function NewTraderDialog({ directory, ...rest }: NewTraderDialogProps) {
  const { data, error, refetch } = directory;
  const open = data?.filter(({ is_archived }) => !is_archived);
  if (open && open.length > 0) return <NewTraderForm communities={open} {...rest} />;
  return (
    <Dialog {...WORDS} onClose={rest.onClose}>
      <QueryState
        small
        error={
          error && !data ? { title: 'The communities could not be loaded', message: messageOf(error) } : null
        }
        onRetry={() => void refetch()}
        isLoading={!data}
        loading={<Loading />}
        isEmpty
        empty={
          <MessagePanel
            icon={Users}
            level={3}
            small
            title="No community"
            text="A trader belongs to a community, and there is none that is not archived"
          />
        }
      >
        {null}
      </QueryState>
    </Dialog>
  );
}

interface NewTraderFormProps extends Omit<NewTraderDialogProps, 'directory'> {
  communities: readonly NamedCommunity[];
}

function NewTraderForm({ communities, communityId, onClose, onCreated }: NewTraderFormProps) {
  const [only, ...others] = communities;
  const first = communities.find(({ id }) => id === communityId) ?? (others.length === 0 ? only : undefined);
  const form = useDialogForm({
    values: { ...EMPTY, community_id: first?.id ?? '' },
    findErrors: (values) => ({
      ...(values.community_id === '' && { community_id: 'Choose a community' }),
      ...(values.selected_provider_id === '' && { selected_provider_id: 'Choose a provider' }),
      ...personErrors(values),
    }),
    send: async (
      { community_id, selected_provider_id, reference_number, referral_code, ...person },
      keyOf,
    ) => {
      const body = newTrader({
        community_id,
        selected_provider_id,
        ...personOf(person),
        reference_number,
        referral_code,
      });
      return (await call('POST /api/traders', { body, idempotencyKey: keyOf(body) })).data;
    },
    done: () => ({ title: 'Trader created' }),
    reads: tradersKeys.lists,
    onDone: ({ id }) => {
      onClose();
      onCreated(id);
    },
  });
  const { community_id, selected_provider_id: chosen } = form.values;
  const providers = useQuery({ ...offeredProvidersQuery(community_id), enabled: community_id !== '' });
  const offered = providers.data ?? [];
  // Chooses the only provider, and drops a choice that belongs to another community.
  const provider = offered.some(({ id }) => id === chosen)
    ? chosen
    : offered.length === 1
      ? (offered[0]?.id ?? '')
      : '';
  return (
    <FormDialog
      form={form}
      {...WORDS}
      confirm="Create trader"
      busy="Creating..."
      leave="Cancel"
      isBlocked={providers.data?.length === 0}
      onClose={onClose}
    >
      <div className="grid gap-3.5 sm:grid-cols-2">
        <SelectField
          label="Community"
          name="community_id"
          autoFocus
          options={[
            ...(first ? [] : [{ value: '', label: 'Choose a community' }]),
            ...communities.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <SelectField
          label="Provider"
          name="selected_provider_id"
          value={provider}
          disabled={offered.length === 0}
          onChange={({ target }) => form.set('selected_provider_id', target.value)}
          options={
            offered.length > 0
              ? [
                  ...(provider === '' ? [{ value: '', label: 'Choose a provider' }] : []),
                  ...offered.map(({ id, name }) => ({ value: id, label: name })),
                ]
              : [{ value: '', label: providersWords(community_id, providers) }]
          }
        />
      </div>
      {providers.data?.length === 0 && (
        <p className="text-xs text-caution">
          No active provider of this community may be chosen. Link one in the settings of the community.
        </p>
      )}
      {providers.error && !providers.data && (
        <p role="alert" className="text-xs text-negative">
          The providers could not be loaded. {messageOf(providers.error)}{' '}
          <button
            type="button"
            className="rounded font-medium text-accent hover:underline"
            onClick={() => void providers.refetch()}
          >
            Retry
          </button>
        </p>
      )}
      <PersonFields chatHint="Invoices and payment addresses are sent there" />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField
          label="Reference number"
          name="reference_number"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
        />
        <TextField
          label="Referral code"
          name="referral_code"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          hint="Of the trader who referred this one and gets a part of its invoices"
        />
      </div>
    </FormDialog>
  );
}

const EMPTY = {
  community_id: '',
  selected_provider_id: '',
  name: '',
  email: '',
  telegram_username: '',
  telegram_user_id: '',
  language: 'en' as const,
  reference_number: '',
  referral_code: '',
};

/** Why no provider can be chosen yet. */
function providersWords(communityId: string, { data, error }: { data?: unknown; error: unknown }): string {
  if (communityId === '') return 'Community first';
  if (data) return 'None';
  return error ? 'Not loaded' : 'Loading...';
}

/** A referral code is sent only where there is one: it needs a recent sign-in. */
function newTrader({ reference_number, referral_code = '', ...fields }: NewTrader): NewTrader {
  const code = cleanLine(referral_code);
  return {
    ...fields,
    reference_number: cleanLine(reference_number ?? '') || null,
    ...(code && { referral_code: code }),
  };
}

/** The providers that traders of a community may choose, as far as the person sees them, by name. */
const offeredProvidersQuery = (communityId: string) =>
  queryOptions({
    // Below the directory's prefix: a change of a community reads it again.
    queryKey: ['communities', 'offered', communityId],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /api/communities/{id}/providers', {
        params: { id: communityId },
        signal,
      });
      return data
        .filter(({ is_active, is_provider_active }) => is_active && is_provider_active)
        .map(({ provider_id, display_name }) => ({ id: provider_id, name: display_name }));
    },
  });
