import type { Scope } from '@copydesk/domain/access';
import type { PlanFeature } from '@copydesk/domain/billing';
import type { ReadBot } from '../../../integrations/telegram/read-bot.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Handlers } from '../../../platform/http/handlers.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { Keyring } from '../../../platform/secrets/keyring.ts';
import { findCommunity } from '../../communities/communities.views.ts';
import { createAnswerRoutes } from './answering/answers.routes.ts';
import { changeBot, checkBot, connectBot } from './bot/bots.service.ts';
import { findBot, findBotOfCommunity, listBots } from './bot/bots.views.ts';
import { addCoupon, removeCoupon } from './offers/coupons.service.ts';
import { addFaq, changeFaq, removeFaq } from './offers/faqs.service.ts';
import { listCoupons, listFaqs, listPlans } from './offers/offers.views.ts';
import { addPlan, changePlan, removePlan } from './offers/plans.service.ts';
import { createSaleRoutes, type SaleDeps } from './sales/sales.routes.ts';

type ExchangeBotRoutes = Pick<Handlers, Extract<keyof Handlers, `${string} /api/exchange-bot${string}`>>;

interface Deps extends SaleDeps {
  db: Database;
  keyring: Keyring;
  readBot: ReadBot;
  /** @throws Refusal `subscription_required` when the plan of the community does not include it */
  requirePlan(scope: Scope, communityId: string, feature: PlanFeature): Promise<void>;
}

/** The bots of communities, and what they offer. */
export function createExchangeBotRoutes(deps: Deps): ExchangeBotRoutes {
  const { db, requirePlan } = deps;
  const ofBot = <T>(scope: Scope, id: string, read: (tx: Tx) => Promise<T>) =>
    db.read(scope, async (tx) => {
      if (!(await findBot(tx, id))) throw new Refusal('not_found');
      return { success: true as const, data: await read(tx) };
    });
  const ofCommunity = <T>(scope: Scope, id: string, read: (tx: Tx) => Promise<T>) =>
    db.read(scope, async (tx) => {
      if (!(await findCommunity(tx, id))) throw new Refusal('not_found');
      return { success: true as const, data: await read(tx) };
    });
  const answer = async <T>(work: Promise<T>) => ({ success: true as const, data: await work });
  const gone = async (id: string, work: Promise<void>) => {
    await work;
    return { success: true as const, data: { id } };
  };

  /** A bot that is on may stay on: the end of a plan takes nothing from people who bought access. */
  const requireSwitch = async (scope: Scope, id: string) => {
    const bot = await db.read(scope, (tx) => findBot(tx, id));
    if (bot && !bot.is_active) await requirePlan(scope, bot.community_id, 'exchange_bot');
  };

  return {
    ...createSaleRoutes(deps),
    ...createAnswerRoutes(deps),
    'POST /api/exchange-bot': async ({ scope, actor, body }) => {
      await requirePlan(scope, body.community_id, 'exchange_bot');
      return answer(connectBot(deps, { scope, actor }, body));
    },
    'GET /api/exchange-bots': ({ scope }) => answer(db.read(scope, (tx) => listBots(tx, deps.now()))),
    'GET /api/exchange-bot/{id}': ({ scope, params: { id } }) =>
      answer(
        db.read(scope, async (tx) => {
          const bot = await findBot(tx, id);
          if (!bot) throw new Refusal('not_found');
          return bot;
        }),
      ),
    'PATCH /api/exchange-bot/{id}': async ({ scope, actor, params: { id }, body }) => {
      if (body.is_active) await requireSwitch(scope, id);
      return answer(changeBot(deps, { scope, actor }, id, body));
    },
    'POST /api/exchange-bot/{id}/check': ({ scope, actor, params: { id } }) =>
      answer(checkBot(deps, { scope, actor }, id)),
    'GET /api/exchange-bot/community/{id}': ({ scope, params: { id } }) =>
      ofCommunity(scope, id, (tx) => findBotOfCommunity(tx, id)),
    'GET /api/exchange-bot/community/{id}/pricing': ({ scope, params: { id } }) =>
      ofCommunity(scope, id, async (tx) => {
        const bot = await findBotOfCommunity(tx, id);
        return bot?.is_active ? listPlans(tx, bot.id, { isActiveOnly: true }) : [];
      }),

    'GET /api/exchange-bot/{id}/pricing': ({ scope, params: { id } }) =>
      ofBot(scope, id, (tx) => listPlans(tx, id, { isActiveOnly: false })),
    'POST /api/exchange-bot/{id}/pricing': ({ scope, actor, params: { id }, body }) =>
      answer(db.write(scope, actor, (tx) => addPlan(tx, id, body))),
    'PATCH /api/exchange-bot/pricing/{id}': ({ scope, actor, params: { id }, body }) =>
      answer(db.write(scope, actor, (tx) => changePlan(tx, id, body))),
    'DELETE /api/exchange-bot/pricing/{id}': ({ scope, actor, params: { id } }) =>
      gone(
        id,
        db.write(scope, actor, (tx) => removePlan(tx, id)),
      ),

    'GET /api/exchange-bot/{id}/coupons': ({ scope, params: { id } }) =>
      ofBot(scope, id, (tx) => listCoupons(tx, id)),
    'POST /api/exchange-bot/{id}/coupons': ({ scope, actor, params: { id }, body }) =>
      answer(db.write(scope, actor, (tx) => addCoupon(tx, id, body))),
    'DELETE /api/exchange-bot/coupons/{id}': ({ scope, actor, params: { id } }) =>
      gone(
        id,
        db.write(scope, actor, (tx) => removeCoupon(tx, id)),
      ),

    'GET /api/exchange-bot/{id}/custom-faqs': ({ scope, params: { id } }) =>
      ofBot(scope, id, (tx) => listFaqs(tx, id)),
    'POST /api/exchange-bot/{id}/custom-faqs': ({ scope, actor, params: { id }, body }) =>
      answer(db.write(scope, actor, (tx) => addFaq(tx, id, body))),
    'PATCH /api/exchange-bot/custom-faqs/{id}': ({ scope, actor, params: { id }, body }) =>
      answer(db.write(scope, actor, (tx) => changeFaq(tx, id, body))),
    'DELETE /api/exchange-bot/custom-faqs/{id}': ({ scope, actor, params: { id } }) =>
      gone(
        id,
        db.write(scope, actor, (tx) => removeFaq(tx, id)),
      ),
  };
}
