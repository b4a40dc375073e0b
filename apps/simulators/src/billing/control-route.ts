import type { ReceivedAnswer, VenueRequest } from '../venues/venue.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import type { BillingAccount } from './billing-account.ts';
import { cancelNow, catchUp, isLive } from './lifecycle.ts';
import { manage } from './page-routes.ts';
import { closeDispute, disputeLast, refundLast } from './payments.ts';
import type { Price } from './prices.ts';

interface Control {
  account: BillingAccount;
  prices: readonly Price[];
  webhooks: WebhookSender;
}

type Act = { act: string; customer?: string; seconds?: number };

/** What may be done to the account from outside, by name. False: there is no such act. */
export async function doAct({ account, prices, webhooks }: Control, given: Act): Promise<boolean> {
  const { act, customer = '', seconds = 0 } = given;
  const { state } = account;
  switch (act) {
    case 'move_clock':
      state.aheadSeconds += seconds;
      catchUp(account);
      return true;
    case 'refund':
      refundLast(account, customer);
      return true;
    case 'dispute':
      disputeLast(account, customer);
      return true;
    case 'win_dispute':
    case 'lose_dispute':
      closeDispute(account, customer, act === 'win_dispute' ? 'won' : 'lost');
      return true;
    case 'cancel_now':
      for (const one of Object.values(state.subscriptions))
        if (one.customer === customer && isLive(one)) cancelNow(account, one);
      return true;
    case 'hold_webhooks':
      webhooks.hold();
      return true;
    case 'release_webhooks':
      await webhooks.release();
      return true;
    case 'double_webhooks':
      await webhooks.release((events) => [...events, ...events]);
      return true;
    case 'reverse_webhooks':
      await webhooks.release((events) => events.toReversed());
      return true;
    case 'lose_webhooks':
      webhooks.lose();
      return true;
    case 'forge_webhook':
      await webhooks.send(
        {
          body: '{"id":"evt_forged","object":"event","type":"invoice.paid","created":1,"data":{"object":{"object":"invoice"}}}',
        },
        { secret: 'not the secret of this endpoint' },
      );
      return true;
    default:
      if (!/^(cancel|resume|switch_\w+|card_\w+)$/.test(act)) return false;
      manage(account, prices, customer, act);
      return true;
  }
}

/** `/__billing`, for programs on this machine: its state (GET), or an act (POST). Null: another path. */
export async function answerControl(request: VenueRequest, control: Control): Promise<ReceivedAnswer | null> {
  const { path, method, ip, headers, body } = request;
  if (path !== '/__billing') return null;
  if (!/^(127\.|::1$)/.test(ip)) return { status: 403, body: { error: 'from this machine only' } };
  if (method === 'GET') return { status: 200, body: control.account.state };
  // A web page can send a form to any address, but not JSON.
  if (method !== 'POST' || !headers['content-type']?.startsWith('application/json'))
    return { status: 405, body: { error: 'POST an act as application/json' } };
  try {
    if (!(await doAct(control, JSON.parse(body) as Act)))
      return { status: 400, body: { error: 'no such act' } };
  } catch {
    return { status: 400, body: { error: 'not JSON' } };
  }
  return { status: 200, body: { done: true } };
}
