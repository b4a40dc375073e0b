import { type AttentionItem, attentionCalls, attentionEntry } from '@copydesk/contract/attention';
import type { Flags } from '@copydesk/domain/access';
import type { AttentionGroup, AttentionKind, AttentionTab } from '@copydesk/domain/attention';
import type { Actor } from '../../platform/audit/audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { byPresentScope, presentScope } from '../../platform/identity/present-scope.ts';
import {
  type AttentionDeps,
  type AttentionPage,
  listAttention,
  nameItems,
  type Viewer,
} from './attention.views.ts';

/** The reader, and where it may act: a role may only read. */
export function viewerOf(flags: Flags, id: string): Viewer {
  const scope = presentScope(flags, attentionCalls['PUT /api/attention/mark'], null);
  return { id, actsFor: scope?.kind === 'all' ? null : (scope?.providerIds ?? []) };
}

/** What waits for a person under its present rights: a page of one tab, and how many each tab has. */
export async function readAttention(
  { db, ...deps }: AttentionDeps & { db: Database },
  { flags, actor }: { flags: Flags; actor: Actor },
  {
    kinds,
    tab,
    group,
    limit,
    offset,
  }: {
    kinds: readonly AttentionKind[];
    tab: AttentionTab;
    group?: AttentionGroup | undefined;
    limit: number;
    offset: number;
  },
): Promise<Omit<AttentionPage, 'rows'> & { items: AttentionItem[] }> {
  const viewer = viewerOf(flags, actor.id);
  const scopes = byPresentScope(flags, kinds, attentionEntry);
  // The page of several scopes begins in none of them: each is read to the page's end.
  const part = scopes.length > 1 ? { offset: 0, limit: offset + limit } : { offset, limit };
  const pages = await Promise.all(
    scopes.map(({ scope, names }) => {
      const asked = { viewer, kinds: names, tab, group, ...part };
      return db.read(scope, (tx) => listAttention(tx, deps, asked), actor);
    }),
  );
  const { items, ...counts } = mergePages(pages, { limit, offset: offset - part.offset });
  const named = new Map<unknown, AttentionItem>();
  await Promise.all(
    scopes.map(async ({ scope, names }) => {
      const own = items.filter(({ kind }) => names.includes(kind));
      if (own.length === 0) return;
      const read = await db.read(scope, (tx) => nameItems(tx, deps.sources, own), actor);
      for (const [at, item] of own.entries()) named.set(item, read[at] as AttentionItem);
    }),
  );
  return { items: items.flatMap((item) => named.get(item) ?? []), ...counts };
}

/** Of several scopes: each item once, in the order of all. */
function mergePages(pages: readonly AttentionPage[], { limit, offset }: { limit: number; offset: number }) {
  const rows = pages.flatMap((page) => page.rows);
  if (pages.length > 1)
    rows.sort(({ place: a }, { place: b }) => {
      const at = a.findIndex((value, index) => value !== b[index]);
      return at < 0 ? 0 : (a[at] as string) < (b[at] as string) ? -1 : 1;
    });
  const groups: Partial<Record<AttentionGroup, number>> = {};
  const tabs = { you: 0, others: 0, snoozed: 0 };
  for (const page of pages) {
    for (const name of ['you', 'others', 'snoozed'] as const) tabs[name] += page.tabs[name];
    for (const [name, n] of Object.entries(page.groups) as [AttentionGroup, number][])
      groups[name] = (groups[name] ?? 0) + n;
  }
  return { items: rows.slice(offset, offset + limit).map(({ item }) => item), tabs, groups };
}
