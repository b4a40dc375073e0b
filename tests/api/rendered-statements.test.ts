import { fileURLToPath } from 'node:url';
import type { Scope } from '@copydesk/domain/access';
import { expect, test } from 'vitest';
import {
  countGroups,
  listGroups,
  readGroupOrder,
} from '../../apps/server/src/features/invoices/groups/invoice-groups.views.ts';
import { listInvoices, sumInvoices } from '../../apps/server/src/features/invoices/list/invoices.views.ts';
import { listPayouts } from '../../apps/server/src/features/payouts/history/payout-history.views.ts';
import { sumPayouts } from '../../apps/server/src/features/payouts/history/payout-sums.views.ts';
import { listPendingLines } from '../../apps/server/src/features/payouts/pending-shares.views.ts';
import { listRecipientPage } from '../../apps/server/src/features/payouts/recipients/recipients.views.ts';
import { countTraders, listTraders } from '../../apps/server/src/features/traders/traders.views.ts';
import type { Tx } from '../../apps/server/src/platform/db/database.ts';
import { layOut, recordStatements } from '../support/record-statements.ts';

// Heavy statements that views assemble from parts, as PostgreSQL gets them: a review shows what a change makes of them.
// `npm run generate` writes the files again.
const FEATURES = fileURLToPath(new URL('../../apps/server/src/features/', import.meta.url));
const provider = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const CALLERS: Record<string, Scope> = {
  'a super admin': { kind: 'all' },
  'staff of one provider': { kind: 'providers', providerIds: [provider(1)] },
  'staff of three providers': { kind: 'providers', providerIds: [1, 2, 3].map(provider) },
};
const INVOICES = { invoice_type: 'all' } as const;
const SINCE = { ...INVOICES, created_at_from: '2026-01-01' } as const;
const NEWEST = { orderBy: 'created_at', orderDir: 'desc', limit: 50, offset: 0 } as const;
const UNKNOWN = { json: '[]', tabs: [] };
const PENDING = { communityIds: [provider(9)], chainId: 56, holdHours: 24 };
const RULES = { rules: { addressHoldHours: 24, approverMinAgeMs: 0 }, now: () => new Date(0) };
const INCLUDED = { include_aum: true, include_exchanges: true };

/** Files beside their source, each with the views whose statements it has. */
const RENDERED: Record<string, Record<string, (tx: Tx) => Promise<unknown>>> = {
  'traders/traders.views.sql': {
    'a page of the inbox by AUM': (tx) =>
      listTraders(tx, { ...NEWEST, orderBy: 'aum', tab: 'inbox' }, INCLUDED),
    'its counts': (tx) => countTraders(tx, {}),
  },
  'invoices/list/invoices.views.sql': {
    'a page, newest first': (tx) => listInvoices(tx, { ...INVOICES, ...NEWEST }),
    'its sums, of one exchange': (tx) => sumInvoices(tx, { ...INVOICES, exchange: 'bybit' }),
  },
  'invoices/groups/invoice-groups.views.sql': {
    'a page of unpaid groups, newest first': (tx) =>
      listGroups(tx, { ...INVOICES, ...NEWEST, tab: 'unpaid' }, UNKNOWN),
    'a page of groups since a day': (tx) => listGroups(tx, { ...SINCE, ...NEWEST, tab: 'all' }, UNKNOWN),
    'the order of groups since a day by amount': (tx) =>
      readGroupOrder(tx, { ...SINCE, ...NEWEST, orderBy: 'amount', tab: 'all' }, UNKNOWN),
    'counts of groups since a day': (tx) => countGroups(tx, SINCE),
  },
  'payouts/pending-shares.views.sql': {
    'the pending shares of a community': (tx) => listPendingLines(tx, PENDING),
  },
  'payouts/recipients/recipients.views.sql': {
    'a page, changed lately first, and the counts beside it': (tx) =>
      listRecipientPage(tx, RULES, provider(8), { ...NEWEST, orderBy: 'changed_at' }),
  },
  'payouts/history/payout-history.views.sql': {
    'a page, newest first': (tx) => listPayouts(tx, NEWEST),
    'its sums': (tx) => sumPayouts(tx, {}),
  },
};

test.each(Object.entries(RENDERED))('%s has the statements of its views', async (file, views) => {
  const sections: string[] = ['-- Written by `npm run generate` from the views beside it. Do not edit.'];
  for (const [what, view] of Object.entries(views))
    for (const [caller, scope] of Object.entries(CALLERS))
      for (const statement of await recordStatements(scope, view))
        if (!statement.includes('plan_cache_mode'))
          sections.push(`-- For ${caller}: ${what}.\n${layOut(statement)};`);
  await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot(`${FEATURES}${file}`);
});
