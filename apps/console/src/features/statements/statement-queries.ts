import type { CallAnswer } from '@copydesk/contract';
import type { StatementOwner } from '@copydesk/domain/ledger';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, open } from '../../lib/api/api.ts';
import { saveResponse } from '../../lib/api/download.ts';
import { momentsOf, type StatementSearch } from './statement-search.ts';

export type AccountBalance = CallAnswer<'GET /api/statements/balances'>['data']['balances'][number];
export type Movement = CallAnswer<'GET /api/statements'>['data'][number];
export type StatementSums = CallAnswer<'GET /api/statements'>['meta'];

export const STATEMENT_ROWS = 50;

/** Whose accounts; the platform has no id. */
export interface Owner {
  kind: StatementOwner;
  id: string | undefined;
}

const wireOwner = ({ kind, id }: Owner) => ({ owner_kind: kind, ...(id && { owner_id: id }) });
const fresh = { staleTime: 10_000, refetchOnMount: true, placeholderData: keepPreviousData } as const;

export const balancesQuery = (owner: Owner, month: string | undefined) =>
  queryOptions({
    ...fresh,
    queryKey: ['statements', 'balances', owner, month],
    queryFn: async ({ signal }) => {
      const { to } = momentsOf(month);
      const query = { ...wireOwner(owner), ...(to && { at: to }) };
      return (await call('GET /api/statements/balances', { query, signal })).data;
    },
  });

const wireStatement = (
  owner: Owner,
  { account, asset }: Pick<AccountBalance, 'account' | 'asset'>,
  month: StatementSearch['month'],
) => ({
  ...wireOwner(owner),
  account,
  asset,
  ...momentsOf(month),
});

export const statementQuery = (
  owner: Owner,
  shown: Pick<AccountBalance, 'account' | 'asset'>,
  { month, page }: { month: StatementSearch['month']; page: number },
) =>
  queryOptions({
    ...fresh,
    queryKey: ['statements', 'of', owner, shown.account, shown.asset, month, page],
    queryFn: ({ signal }) =>
      call('GET /api/statements', {
        query: {
          ...wireStatement(owner, shown, month),
          limit: String(STATEMENT_ROWS),
          offset: String((page - 1) * STATEMENT_ROWS),
        },
        signal,
      }),
  });

export async function saveStatement(
  owner: Owner,
  shown: Pick<AccountBalance, 'account' | 'asset'>,
  month: StatementSearch['month'],
): Promise<string> {
  const response = await open('GET /api/statements/export', { query: wireStatement(owner, shown, month) });
  return saveResponse(response, 'statement.csv');
}
