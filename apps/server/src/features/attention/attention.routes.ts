import type { CallParsed } from '@copydesk/contract';
import { attentionEntry } from '@copydesk/contract/attention';
import type { Scope } from '@copydesk/domain/access';
import {
  ATTENTION,
  ATTENTION_KINDS,
  type AttentionKind,
  LONGEST_SNOOZE_DAYS,
} from '@copydesk/domain/attention';
import type { Database, WriteTx } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { ownPerson } from '../../platform/http/own-person.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import { presentScope } from '../../platform/identity/present-scope.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readAttention, viewerOf } from './attention.service.ts';
import { type AttentionDeps, findItem } from './attention.views.ts';
import { saveMark, type Taker } from './marks.store.ts';
import { listSeers } from './seers.views.ts';

type AttentionCalls = `${string} /api/attention${string}`;
type Mark = CallParsed<'PUT /api/attention/mark'>['body'];

const DEFAULT_PAGE = 50;
const DAY_MS = 86_400_000;
const AUDITED = {
  take: 'attention.taken',
  give_back: 'attention.given_back',
  hand_over: 'attention.handed_over',
  snooze: 'attention.snoozed',
  wake: 'attention.woken',
} as const satisfies Record<Mark['act']['kind'], string>;

/** What needs a person: derived from what each feature knows, with what people did about it. */
export function createAttentionRoutes({
  db,
  ...deps
}: AttentionDeps & { db: Database }): Pick<Handlers, Extract<keyof Handlers, AttentionCalls>> {
  return {
    'GET /api/attention': async ({ principal, actor, query }) => {
      const { tab = 'you', group, limit = DEFAULT_PAGE, offset = 0 } = query;
      const { items, tabs, groups } = await readAttention(
        { db, ...deps },
        { flags: principal.flags, actor },
        { kinds: ATTENTION_KINDS, tab, group, limit, offset },
      );
      const total = group ? (groups[group] ?? 0) : tabs[tab];
      return { success: true, data: items, meta: { total, tabs, groups } };
    },

    'POST /api/attention/people': async ({ principal, scope: own, body: { kind, provider_id } }) => ({
      success: true,
      data: await db.read(actScope(principal, own, { kind, provider_id }), (tx) =>
        listSeers(tx, kind, provider_id),
      ),
    }),

    'PUT /api/attention/mark': async ({ principal, actor, scope: own, body }) => {
      const person = ownPerson(principal, 'Only a signed-in person attends to an item');
      const scope = actScope(principal, own, body);
      const version = await db.write(scope, actor, async (tx) => {
        const found = await findItem(tx, deps, viewerOf(principal.flags, actor.id), body);
        if (!found || found.cause !== body.cause) throw new Refusal('attention_gone');
        const taker = await takerOf(tx, body, { id: person.id, name: actor.name });
        // Marks of an earlier item with the same name do not count.
        const saved = await saveMark(tx, body, taker === undefined && !found.is_marked ? null : taker);
        if (saved === null) throw new Refusal('attention_taken');
        const { act, kind, subject } = body;
        tx.audit({
          action: AUDITED[act.kind],
          target: { kind: 'attention', id: `${kind}:${subject}` },
          after: {
            kind,
            ...(taker && { by: taker.name }),
            ...(act.kind === 'snooze' && { until: act.until, reason: act.reason }),
          },
        });
        return saved;
      });
      return { success: true, data: { version } };
    },
  };

  async function takerOf(
    tx: WriteTx,
    { kind, provider_id, act }: Mark,
    own: NonNullable<Taker>,
  ): Promise<Taker> {
    switch (act.kind) {
      case 'take':
        return own;
      case 'give_back':
        return null;
      case 'hand_over': {
        const to = (await listSeers(tx, kind, provider_id)).find(({ id }) => id === act.to);
        if (!to) throw new Refusal('attention_not_theirs');
        return to;
      }
      case 'snooze': {
        if (ATTENTION[kind].urgency === 1) throw new Refusal('attention_urgent');
        const left = Date.parse(act.until) - deps.now().getTime();
        if (left <= 0 || left > LONGEST_SNOOZE_DAYS * DAY_MS) throw new Refusal('snooze_too_long');
        return undefined;
      }
      case 'wake':
        return undefined;
    }
  }
}

/**
 * Staff acts on items of the providers where it may write, and only on kinds that it sees.
 * @param own the rows on which the caller may make this call
 */
function actScope(
  { flags }: Principal,
  own: Scope,
  { kind, provider_id: providerId }: { kind: AttentionKind; provider_id: string | null },
): Scope {
  const seen = presentScope(flags, attentionEntry(kind), null);
  const isOf = (scope: Scope | null) =>
    scope !== null &&
    (scope.kind === 'all' || (providerId !== null && scope.providerIds.includes(providerId)));
  if (!seen || !isOf(seen) || !isOf(own)) throw new Refusal('attention_gone');
  return seen;
}
