import { useQuery } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';

import { State } from '../../../ui/feedback/state.tsx';
import { When } from '../../../ui/figures/when.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { type ServiceToken, tokensKey, tokensQuery } from './token-queries.ts';
import { SCOPE_TEXTS, stateOf } from './token-texts.ts';

type NamedProviders = readonly { id: string; display_name: string }[];

function columnsOf(
  providers: NamedProviders,
  onRevoke: (token: ServiceToken) => void,
): readonly PlainColumn<ServiceToken>[] {
  const names = new Map(providers.map(({ id, display_name }) => [id, display_name]));
  return [
    {
      id: 'token',
      header: 'Token',
      width: '26%',
      onCard: 'lead',
      cell: ({ name, prefix, owner }) => (
        <span className="flex min-w-0 flex-col md:py-1.5">
          <span className="truncate font-medium">{name}</span>
          <span className="truncate text-xs font-normal text-muted">
            <span className="font-mono">{prefix}…</span> of {owner}
          </span>
        </span>
      ),
    },
    {
      id: 'scopes',
      header: 'Scopes',
      width: '30%',
      onCard: 'line',
      cell: ({ scopes, provider_ids }) => {
        const where = provider_ids.map((id) => names.get(id) ?? 'Unknown').join(', ');
        return (
          <span className="block min-w-0 whitespace-normal max-md:text-end md:py-1.5">
            {scopes.map((scope) => (
              <span key={scope} className="block">
                {SCOPE_TEXTS[scope]}
              </span>
            ))}
            <span className="block text-xs break-words text-muted">{where}</span>
          </span>
        );
      },
    },
    {
      id: 'state',
      header: 'State',
      width: '12%',
      cell: (token) => {
        const { label, tone } = stateOf(token, new Date());
        return <State tone={tone}>{label}</State>;
      },
    },
    {
      id: 'used',
      header: 'Last Used',
      width: '12%',
      align: 'end',
      cell: ({ last_used_at }) =>
        last_used_at ? <When at={last_used_at} as="ago" /> : <span className="text-muted">Never</span>,
    },
    {
      id: 'expires',
      header: 'Expires',
      width: '11%',
      align: 'end',
      cell: ({ expires_at }) => <When at={expires_at} as="day" />,
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '9%',
      align: 'end',
      onCard: 'end',
      cell: (token) =>
        token.revoked_at === null ? (
          <Button
            look="danger"
            className="h-7!"
            aria-label={`Revoke ${token.name}`}
            onClick={() => onRevoke(token)}
          >
            Revoke
          </Button>
        ) : null,
    },
  ];
}

/** The keys of programs. */
export function TokensPanel({ providers }: { providers: NamedProviders }) {
  const [hasRevoked, setRevokedShown] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ServiceToken | null>(null);
  const { data, error, refetch } = useQuery(tokensQuery(hasRevoked));
  const columns = useMemo(() => columnsOf(providers, setRevoked), [providers]);
  return (
    <Panel
      title="Service Tokens"
      flush
      count={data?.length}
      actions={
        <>
          <Button className="h-7!" onClick={() => setCreating(true)}>
            <Plus className="size-4" aria-hidden="true" />
            New token
          </Button>
          <Button className="h-7!" onClick={() => setRevokedShown(!hasRevoked)}>
            {hasRevoked ? 'Hide revoked' : 'Show revoked'}
          </Button>
        </>
      }
    >
      <QueryState
        small
        error={error && !data ? { title: 'The tokens could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading service tokens..." />}
        isEmpty={data?.length === 0}
        empty={
          <MessagePanel
            icon={KeyRound}
            small
            title="No service tokens"
            text="Programs that read or write here need one."
          />
        }
      >
        <PlainTable
          label="Service tokens"
          columns={columns}
          rows={data ?? []}
          keyOf={({ id }) => id}
          dimmedOf={({ revoked_at }) => revoked_at !== null}
        />
      </QueryState>
      {isCreating && <NewTokenDialog providers={providers} onClose={() => setCreating(false)} />}
      {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(null)} />}
    </Panel>
  );
}

function RevokeDialog({ token, onClose }: { token: ServiceToken; onClose(): void }) {
  const revoke = useAct({
    send: () => call('DELETE /api/service-tokens/{id}', { params: { id: token.id } }),
    done: ({ data: { name } }) => ({ title: 'Service token revoked', text: name }),
    reads: tokensKey,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`Revoke ${token.name}`}
      text="Programs that use it are refused from their next request on. It cannot be brought back."
      confirm="Revoke"
      busy="Revoking..."
      isDanger
      {...revoke}
      onClose={onClose}
    />
  );
}
