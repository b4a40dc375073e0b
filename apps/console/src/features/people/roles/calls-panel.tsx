import type { CallAnswer } from '@copydesk/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import SearchX from 'lucide-react/icons/search-x';
import { useMemo, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { messageOf } from '../../../lib/api/api-error.ts';
import { Loading } from '../../../ui/feedback/loading.tsx';
import { MessagePanel } from '../../../ui/feedback/message-panel.tsx';
import { QueryState } from '../../../ui/feedback/query-state.tsx';
import { DebouncedSearchBox } from '../../../ui/form/filters/debounced-search-box.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { CAPABILITY_WORDS } from './role-texts.ts';

const COLUMNS: readonly PlainColumn<AccessCall>[] = [
  {
    id: 'call',
    header: 'Call',
    width: '46%',
    onCard: 'lead',
    cell: ({ call, summary }) => (
      <span className="block min-w-0 py-1.5 whitespace-normal">
        <span className="block font-normal">{summary}</span>
        <code className="block text-xs break-all text-muted">{call.replace('/api', '')}</code>
      </span>
    ),
  },
  {
    id: 'who',
    header: 'Who',
    width: '22%',
    onCard: 'line',
    cell: (row) => <span className="whitespace-normal">{whoText(row)}</span>,
  },
  {
    id: 'program',
    header: 'Token Scope',
    width: '12%',
    onCard: 'line',
    cell: ({ service_scope }) =>
      service_scope ? (
        <code className="text-xs">{service_scope}</code>
      ) : (
        <span className="text-muted">None</span>
      ),
  },
  {
    id: 'proof',
    header: 'Proof',
    width: '20%',
    onCard: 'line',
    cell: (row) => (
      <span className="whitespace-normal">{proofText(row) ?? <span className="text-muted">None</span>}</span>
    ),
  },
];

/** Every call of the API, and who may make it. */
export function CallsPanel() {
  const { data, error, refetch } = useQuery(accessCallsQuery);
  const [search, setSearch] = useState<string | undefined>();
  const rows = useMemo(() => (data ?? []).filter((call) => isFound(call, search ?? '')), [data, search]);
  return (
    <Panel
      title="Calls"
      flush
      count={data && rows.length}
      actions={
        <DebouncedSearchBox
          label="Search calls"
          placeholder="Call or right"
          value={search ?? ''}
          onChange={setSearch}
        />
      }
    >
      <QueryState
        small
        error={error && !data ? { title: 'The calls could not be loaded', message: messageOf(error) } : null}
        onRetry={() => void refetch()}
        isLoading={data === undefined}
        loading={<Loading text="Loading calls..." />}
        isEmpty={rows.length === 0}
        empty={<MessagePanel icon={SearchX} small title="No calls found" text="Change the search." />}
      >
        <PlainTable label="Calls" columns={COLUMNS} rows={rows} keyOf={({ call }) => call} />
      </QueryState>
    </Panel>
  );
}

const PERMISSIONS: Record<AccessCall['permission'], string> = {
  public: 'Anyone',
  'signed-in': 'Anyone signed in',
  admin: 'Admins',
  staff: 'Staff',
  super: 'Super admins',
};

/** Who may make a call: a capability of staff where it needs one. */
export function whoText({ permission, capability }: AccessCall): string {
  return capability
    ? `Staff who may ${CAPABILITY_WORDS[capability].label.toLowerCase()}`
    : PERMISSIONS[permission];
}

/** The proof that a call needs besides; null for none. */
export function proofText({ recent_auth_fields: fields, second_factor }: AccessCall): string | null {
  if (fields?.length === 0) return null;
  const proof = second_factor ? 'Recent sign-in and second factor' : 'Recent sign-in';
  return fields === null
    ? proof
    : `${proof}, to change ${fields.map((name) => name.replaceAll('_', ' ')).join(' or ')}`;
}

/** Whether a call is found by a text: its path, its summary, or who may make it. */
export function isFound(call: AccessCall, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return [call.call, call.summary, whoText(call)].some((each) => each.toLowerCase().includes(wanted));
}

export type AccessCall = CallAnswer<'GET /api/access/calls'>['data'][number];

/** It changes with the version of the API alone. */
const accessCallsQuery = queryOptions({
  queryKey: ['access', 'calls'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => (await call('GET /api/access/calls', { signal })).data,
});
