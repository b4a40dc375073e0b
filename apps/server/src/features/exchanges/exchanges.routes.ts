import { connectionError, failureOf } from '../../core/exchanges/gateway-failure.ts';
import type { ExchangeGateway } from '../../integrations/exchanges/gateway.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Handlers } from '../../platform/http/handlers.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { findTrader } from '../traders/traders.views.ts';
import * as connections from './connections/connection.service.ts';
import { holdCommunityOf, requestRefresh } from './connections/exchange-accounts.store.ts';
import * as views from './connections/exchange-accounts.views.ts';
import type { RevealAlarm } from './credentials/reveal-alarm.ts';
import * as live from './live/live-reads.service.ts';

export type ExchangeCalls =
  | `${string} /api/exchanges/${string}`
  | `${string} /api/traders/{id}/exchange${string}`
  | 'GET /api/traders/{id}/available-exchanges'
  | 'GET /api/traders/{id}/positions'
  | 'GET /api/traders/{id}/ip-whitelist'
  | `${string} /api/traders/{id}/refresh-aum`;
type ExchangeRoutes = Pick<Handlers, Extract<keyof Handlers, ExchangeCalls>>;

/** A refresh without an answer from a worker within this time is reported as failed. */
const REFRESH_PATIENCE_MS = 60_000;

export function createExchangeRoutes(deps: {
  db: Database;
  gateway: ExchangeGateway;
  keyring: Keyring;
  /** Allows only super admins to see secrets, whatever a provider's setting. */
  isPlatformSuperOnly: boolean;
  /** Tells the super admins that a person reveals unusually many secrets. */
  alarm: RevealAlarm;
  now: () => Date;
}): ExchangeRoutes {
  const { db, gateway, keyring, isPlatformSuperOnly, alarm, now } = deps;

  return {
    'POST /api/traders/{id}/exchange': async ({ params, body, scope, actor }) => {
      const given = connections.credentialsIn(body);
      await db.read(scope, (tx) => connections.requireConnection(tx, params.id, body));
      const verified = await gateway.verify(given, { priority: 'interactive' }).catch((error) => {
        throw connectionError(failureOf(error));
      });
      const { provider_id: providerId, withdraw_reason: withdrawReason, replaces } = body;
      const connection = {
        traderId: params.id,
        providerId,
        given,
        verified,
        at: now(),
        withdrawReason,
        replaces,
      };
      const { accUid, replacedId } = await db.write(scope, actor, async (tx) => {
        await holdCommunityOf(tx, params.id);
        await connections.requireConnection(tx, params.id, body); // may have changed during the request
        return connections.connectExchange(tx, keyring, connection);
      });
      if (replacedId) gateway.forget(replacedId);
      const trader = await db.read(scope, (tx) => findTrader(tx, params.id, { include_exchanges: true }));
      const connected = (
        JSON.parse(trader ?? '{}') as { exchanges?: { exchange: string; acc_uid: string }[] }
      ).exchanges?.find((account) => account.exchange === body.exchange && account.acc_uid === accUid);
      if (!connected) throw new Refusal('not_found');
      return { success: true, data: connected as never };
    },

    'DELETE /api/traders/{id}/exchange': async ({ params, body, scope, actor }) => {
      const { exchange, acc_uid, without_last_read: isNow = false } = body;
      const accountId = await db.write(scope, actor, (tx) =>
        connections.disconnectExchange(tx, params.id, { exchange, acc_uid, at: now(), isNow }),
      );
      gateway.forget(accountId);
      return { success: true, data: { exchange, acc_uid } };
    },

    'POST /api/traders/{id}/exchange/reveal': async ({ params, body, scope, actor, http, reply }) => {
      const { value, left, burst } = await db.write(scope, actor, (tx) =>
        connections.revealCredential(tx, keyring, params.id, body, { isPlatformSuperOnly, at: now() }),
      );
      if (burst !== null) void alarm(burst, actor, http);
      reply.header('cache-control', 'no-store');
      return { success: true, data: { field: body.field, value, reveals_left: left } };
    },

    'GET /api/traders/{id}/available-exchanges': async ({ params, scope }) => {
      const available = await db.read(scope, (tx) => views.findAvailableExchanges(tx, params.id));
      if (!available) throw new Refusal('not_found');
      const data = available.map((entry) => ({ ...entry, fields: connections.fieldsOf(entry.exchange) }));
      return { success: true, data };
    },

    'GET /api/traders/{id}/positions': async ({ params, scope }) => {
      return { success: true, ...(await live.readAllPositions(deps, scope, params.id)) };
    },

    'GET /api/exchanges/trader/{id}/balances': async ({ params, scope }) => {
      return { success: true, data: await live.readBalances(deps, scope, params.id) };
    },

    'GET /api/exchanges/{exchange}/{id}/positions': async ({ params, query, scope }) => {
      const name = { exchange: params.exchange, acc_uid: query.acc_uid };
      return { success: true, ...(await live.readPositions(deps, scope, params.id, name)) };
    },

    'GET /api/traders/{id}/ip-whitelist': async ({ params, scope }) => {
      return { success: true, data: await live.readWhitelists(deps, scope, params.id) };
    },

    'POST /api/traders/{id}/refresh-aum': async ({ params, scope, actor }) => {
      const data = await db.write(scope, actor, async (tx) => {
        if ((await requestRefresh(tx, params.id)) === 'gone') throw new Refusal('not_found');
        return views.findRefresh(tx, params.id, REFRESH_PATIENCE_MS);
      });
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },

    'GET /api/traders/{id}/refresh-aum': async ({ params, scope }) => {
      const data = await db.read(scope, (tx) => views.findRefresh(tx, params.id, REFRESH_PATIENCE_MS));
      if (!data) throw new Refusal('not_found');
      return { success: true, data };
    },
  };
}
