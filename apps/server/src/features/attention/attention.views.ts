import type { AttentionItem } from '@copydesk/contract/attention';
import {
  ATTENTION,
  type AttentionGroup,
  type AttentionKind,
  type AttentionTab,
  TAKEN_HOURS,
} from '@copydesk/domain/attention';
import { type RawBuilder, sql } from 'kysely';
import type { About, AttentionSources, Items } from '../../core/attention/attention-source.ts';
import { type ApproverRules, readApprovers } from '../../core/transfers/orders/approvers.views.ts';
import type { Tx } from '../../platform/db/database.ts';
import { reusePlans } from '../../platform/db/lists/list-page.ts';
import { MARK_DAYS } from './marks.store.ts';

export interface AttentionDeps extends ApproverRules {
  sources: AttentionSources;
}

type Named = 'provider' | 'title' | 'detail' | 'trader_id' | 'community_id' | 'pool_id';
export type UnnamedItem = Omit<AttentionItem, Named>;

/** A row, with what sorts it: items of several scopes are merged by it. */
export interface ListedItem {
  item: UnnamedItem;
  place: [urgency: number, rank: number, since: string, kind: string, subject: string];
}

export interface AttentionPage {
  rows: ListedItem[];
  tabs: Record<AttentionTab, number>;
  /** Of the tab. */
  groups: Partial<Record<AttentionGroup, number>>;
}

/** The person who reads the list. */
export interface Viewer {
  id: string;
  /** The providers on whose items the viewer may act; null: on all items. */
  actsFor: readonly string[] | null;
}

interface Asked {
  viewer: Viewer;
  kinds: readonly AttentionKind[];
  tab: AttentionTab;
  group?: AttentionGroup | undefined;
  offset: number;
  limit: number;
}

const NO_TEXT = sql`NULL::text`;
const NO_ID = sql`NULL::uuid`;
const union = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql` UNION ALL `);

/** The rows of one kind, in the columns of all. */
function rowsOf(
  kind: AttentionKind,
  items: Items,
  refused: readonly string[],
  { actsFor }: Viewer,
): RawBuilder<unknown> {
  const { subject, since, from, providerId, amountUnits, code, count, turn, authorId, cause, marksFrom } =
    items;
  // An item that only others may end waits for them.
  const reader = actsFor
    ? sql`CASE WHEN ${providerId ?? NO_ID} = ANY (${[...actsFor]}::uuid[]) THEN 'you' ELSE 'colleague' END`
    : sql`'you'`;
  const own = turn ?? reader;
  const waitsFor = authorId
    ? sql`CASE WHEN ${authorId} = ANY (${[...refused]}::text[]) THEN 'another' ELSE ${own} END`
    : own;
  return sql`SELECT ${sql.lit(kind)}::text AS kind, ${sql.lit(ATTENTION[kind].group)}::text AS grp,
    ${sql.lit(ATTENTION[kind].urgency)}::int AS urgency, ${subject} AS subject, ${providerId ?? NO_ID} AS provider_id,
    ${since} AS since, ${amountUnits ?? sql`NULL::numeric`} AS units, ${code ?? NO_TEXT} AS code,
    (${count ?? sql`NULL`})::int AS n, (${waitsFor})::text AS turn,
    ${cause ?? sql`concat_ws('/', ${code ?? NO_TEXT}, (${count ?? sql`NULL`})::text)`} AS cause,
    ${marksFrom ?? since} AS marks_from FROM ${from}`;
}

/** Who asked for what waits: the rule of approvals decides for each whether the viewer may. */
async function readRefused(tx: Tx, deps: AttentionDeps, viewerId: string, all: readonly Items[]) {
  const asked = all.flatMap(({ authorId, from }) =>
    authorId ? sql`SELECT ${authorId} AS author FROM ${from}` : [],
  );
  if (asked.length === 0) return [];
  const { rows } = await sql<{
    author: string | null;
  }>`SELECT DISTINCT author FROM (${union(asked)}) a`.execute(tx.sql);
  const authors = rows.flatMap(({ author }) => author ?? []);
  const refusalOf = await readApprovers(tx, deps, viewerId, authors);
  return authors.filter((author) => refusalOf(author) !== null);
}

/** What the rows `i` are about: names, and what they lead to. */
function aboutRows(sources: AttentionSources, kinds: readonly AttentionKind[]): RawBuilder<unknown> {
  const cases = kinds.flatMap((kind) => {
    const { about } = sources[kind];
    if (!about) return [];
    const { title, detail, traderId, communityId, poolId }: About = about.columns;
    return sql`WHEN ${sql.lit(kind)} THEN (SELECT jsonb_build_object('title', ${title ?? NO_TEXT}, 'detail', ${detail ?? NO_TEXT},
      'trader_id', ${traderId ?? NO_ID}, 'community_id', ${communityId ?? NO_ID}, 'pool_id', ${poolId ?? NO_ID})
      FROM ${about.from})`;
  });
  const nothing = sql`jsonb_build_object('title', NULL, 'detail', NULL, 'trader_id', NULL, 'community_id', NULL, 'pool_id', NULL)`;
  if (cases.length === 0) return nothing;
  return sql`coalesce(CASE i.kind ${sql.join(cases, sql` `)} END, ${nothing})`;
}

/** An item that was taken longer ago counts as left again. */
const takenFor = sql`now() - make_interval(hours => ${sql.lit(TAKEN_HOURS)})`;

/** All rows of some kinds, with what people did about each. */
async function listed(tx: Tx, deps: AttentionDeps, viewer: Viewer, kinds: readonly AttentionKind[]) {
  const viewerId = viewer.id;
  const all: Items[] = [];
  for (const kind of kinds) all.push(await deps.sources[kind].items(tx, viewerId));
  const refused = await readRefused(tx, deps, viewerId, all);
  const rows = kinds.map((kind, at) => rowsOf(kind, all[at] as Items, refused, viewer));
  return sql`found AS (${union(rows)}),
    -- Whoever lost the access to an item attends to it no longer.
    mark AS MATERIALIZED (
      SELECT m.*, p.id::text AS taker_id FROM attention_mark m
      LEFT JOIN identity.person p ON p.id::text = m.taken_by_id AND p.is_active AND p.disabled_at IS NULL
        AND (p.super OR m.provider_id = ANY (p.provider_ids))
      WHERE m.marked_at > now() - make_interval(days => ${sql.lit(MARK_DAYS)})),
    listed AS MATERIALIZED (
      SELECT f.*, coalesce(m.version, 0) AS version, m.marked_at >= f.marks_from AS is_marked,
        m.marked_at >= f.marks_from AND m.taker_id IS NOT NULL AS is_taken,
        -- Taken for so long without an end, it comes first: whoever has it is reminded.
        CASE WHEN m.marked_at >= f.marks_from AND m.taker_id IS NOT NULL AND m.taken_at <= ${takenFor} THEN 0 ELSE 1
          END AS rank,
        m.taken_by_id, m.taken_by, m.taken_at, m.snoozed_until, m.snoozed_by, m.snooze_reason,
        CASE
          WHEN m.marked_at >= f.marks_from AND m.snoozed_until > now() AND m.snoozed_cause = f.cause AND f.urgency > 1
            THEN 'snoozed'
          WHEN m.marked_at >= f.marks_from AND m.taker_id = ${viewerId} THEN 'you'
          -- One person takes nothing urgent from the others' sight, and nothing for long.
          WHEN m.marked_at >= f.marks_from AND m.taker_id IS NOT NULL AND f.urgency > 1
            AND m.taken_at > ${takenFor} THEN 'others'
          WHEN f.turn = 'you' THEN 'you' ELSE 'others' END AS tab
      FROM found f LEFT JOIN mark m ON m.kind = f.kind AND m.subject = f.subject
        AND m.provider_id IS NOT DISTINCT FROM f.provider_id)`;
}

const itemJson = (viewerId: string) => sql`
  jsonb_build_object('kind', i.kind, 'subject', i.subject, 'provider_id', i.provider_id,
    'code', i.code, 'count', i.n, 'amount', trim_scale(i.units * 0.000000000000000001)::text,
    'since', app.iso(i.since), 'cause', i.cause, 'version', i.version,
    'turn', CASE WHEN i.tab = 'you' THEN 'you' WHEN i.is_taken AND i.taken_by_id <> ${viewerId} THEN 'colleague'
      ELSE i.turn END,
    'taken', CASE WHEN i.is_taken THEN jsonb_build_object('by', i.taken_by,
      'is_you', i.taken_by_id = ${viewerId}, 'at', app.iso(i.taken_at)) END,
    'snoozed', CASE WHEN i.tab = 'snoozed' THEN jsonb_build_object('by', i.snoozed_by,
      'until', app.iso(i.snoozed_until), 'reason', i.snooze_reason) END)`;

/**
 * What needs a person, the most urgent first, then what was taken and left, then the oldest: one statement over the kinds
 * of one scope.
 */
export async function listAttention(tx: Tx, deps: AttentionDeps, asked: Asked): Promise<AttentionPage> {
  const { viewer, kinds, tab, group, offset, limit } = asked;
  const ofTab = sql`i.tab = ${tab} ${group ? sql`AND i.grp = ${group}` : sql``}`;
  const order = sql`i.urgency, i.rank, i.since, i.kind, i.subject, i.provider_id`;
  const ofScope = await listed(tx, deps, viewer, kinds);
  // To plan all kinds takes a third as long as to read them.
  await reusePlans(tx);
  const { rows } = await sql<AttentionPage>`
    WITH ${ofScope},
      counted AS MATERIALIZED (SELECT i.tab, i.grp, count(*) AS n FROM listed i GROUP BY 1, 2)
    SELECT
      (SELECT jsonb_object_agg(t.tab, coalesce(c.n, 0)) FROM unnest(ARRAY['you', 'others', 'snoozed']) AS t(tab)
        LEFT JOIN (SELECT c.tab, sum(c.n)::int AS n FROM counted c GROUP BY 1) c ON c.tab = t.tab) AS tabs,
      (SELECT coalesce(jsonb_object_agg(c.grp, c.n), '{}') FROM counted c WHERE c.tab = ${tab}) AS groups,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('item', ${itemJson(viewer.id)},
          'place', jsonb_build_array(i.urgency, i.rank, app.iso(i.since), i.kind, i.subject)) ORDER BY ${order}), '[]')
        FROM (SELECT * FROM listed i WHERE ${ofTab} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}) i) AS rows`.execute(
    tx.sql,
  );
  return rows[0] as AttentionPage;
}

/**
 * Items with what they are about. A statement of its own: to plan the names of all kinds takes longer than to read those
 * of the few that a page has.
 */
export async function nameItems(
  tx: Tx,
  sources: AttentionSources,
  items: readonly UnnamedItem[],
): Promise<AttentionItem[]> {
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  const keys = items.map(({ kind, subject, provider_id }) => ({ kind, subject, provider_id }));
  const { rows } = await sql<{
    provider: string | null;
    about: Omit<AttentionItem, keyof UnnamedItem | 'provider'>;
  }>`
    SELECT (SELECT p.display_name FROM provider p WHERE p.id = i.provider_id) AS provider,
      ${aboutRows(sources, kinds)} AS about
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS (kind text, subject text, provider_id uuid))
      WITH ORDINALITY AS i(kind, subject, provider_id, at) ORDER BY i.at`.execute(tx.sql);
  return rows.map(({ provider, about }, at) => ({ ...(items[at] as UnnamedItem), provider, ...about }));
}

/** What an act on an item has to agree with, and whether what people did before is about this one. */
type FoundItem = Pick<AttentionItem, 'cause' | 'version'> & { is_marked: boolean };

/** One item as it is now; null: it went, or was never in scope. */
export async function findItem(
  tx: Tx,
  deps: AttentionDeps,
  viewer: Viewer,
  { kind, subject, provider_id }: Pick<AttentionItem, 'kind' | 'subject' | 'provider_id'>,
): Promise<FoundItem | null> {
  const { rows } = await sql<FoundItem>`
    WITH ${await listed(tx, deps, viewer, [kind])}
    SELECT i.cause, i.version, coalesce(i.is_marked, false) AS is_marked FROM listed i
    WHERE i.subject = ${subject} AND i.provider_id IS NOT DISTINCT FROM ${provider_id}::uuid`.execute(tx.sql);
  return rows[0] ?? null;
}
