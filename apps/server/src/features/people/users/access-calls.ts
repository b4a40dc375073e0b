import { type CallAnswer, contract, type Entry } from '@copydesk/contract';
import { needsSecondFactor } from '@copydesk/domain/access';

type AccessCall = CallAnswer<'GET /api/access/calls'>['data'][number];

/** What every call of the contract needs, by path. */
export function listAccessCalls(): AccessCall[] {
  return Object.entries<Entry>(contract)
    .map(([call, entry]) => ({
      call,
      summary: entry.summary,
      permission: entry.permission,
      capability: entry.capability ?? null,
      service_scope: entry.serviceScope ?? null,
      recent_auth_fields: recentFields(entry),
      second_factor: needsSecondFactor(entry),
    }))
    .toSorted((a, b) => pathOf(a).localeCompare(pathOf(b)) || a.call.localeCompare(b.call));
}

const pathOf = ({ call }: AccessCall) => call.split(' ')[1] ?? '';

function recentFields({ recentAuth }: Entry): string[] | null {
  if (typeof recentAuth === 'boolean') return recentAuth ? null : [];
  return [...recentAuth.whenBodyHas];
}
