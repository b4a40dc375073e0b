import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRequest } from '../venues/http/read-request.ts';
import { sendAnswer } from '../venues/http/send-answer.ts';
import { serve } from '../venues/http/serve.ts';
import type { VenueRequest } from '../venues/venue.ts';
import { createWebhookSender, type WebhookSender } from '../webhooks/webhook-sender.ts';
import { refuse } from './api-answer.ts';
import { createApiGate } from './api-gate.ts';
import { type BillingAccount, createAccount } from './billing-account.ts';
import { answerApi } from './billing-api.ts';
import type { BillingState } from './billing-state.ts';
import { answerControl, doAct } from './control-route.ts';
import { catchUp, completeSession } from './lifecycle.ts';
import { eventObject } from './objects/event.ts';
import { answerPage } from './page-routes.ts';
import type { Price } from './prices.ts';
import { readForm } from './read-form.ts';

export interface BillingOptions {
  secretKey: string;
  webhookSecret: string;
  /** Null: set later, or never. */
  webhookUrl?: string | null;
  prices: readonly Price[];
  /** ms since 1970. */
  now?: () => number;
  /** 0: any free port. */
  port?: number;
  stateFile?: string | null;
  /** Begins a new account. */
  seed?: (state: BillingState) => void;
}

export interface RunningBilling {
  /** In place of https://api.stripe.com; its pages are below it too. */
  url: string;
  account: BillingAccount;
  webhooks: WebhookSender;
  /** Pays the open page of a customer. @returns false: there is none */
  pay(customerId: string): boolean;
  act(act: string, given?: { customer?: string; seconds?: number }): Promise<void>;
  /** The next calls fail with this status. */
  fail(status: number, times: number): void;
  /** Calls wait for an answer until the returned function is called. */
  stall(): () => void;
  /** Calls since the start, answered or not. */
  calls(): number;
  close(): Promise<void>;
}

/** Renewals of the demo world happen without a call. */
const TICK_MS = 20_000;

/** Starts a simulated Stripe on a port of its own. */
export async function startBilling(options: BillingOptions): Promise<RunningBilling> {
  const { secretKey, webhookSecret, webhookUrl = null, prices, now = Date.now } = options;
  let url = '';
  let arrived = 0;
  let failing = { status: 500, times: 0 };
  let stalled: Promise<void> = Promise.resolve();
  const webhooks = createWebhookSender({
    url: webhookUrl,
    secret: webhookSecret,
    sign: signAsStripe,
    now,
  });
  const account = createAccount({
    prices,
    now,
    stateFile: options.stateFile ?? null,
    emit: (event) =>
      webhooks.emit({ id: event.id, type: event.type, body: JSON.stringify(eventObject(event)) }),
    baseUrl: () => url,
    ...(options.seed ? { seed: options.seed } : {}),
  });
  const gate = createApiGate({ secretKey, now });
  const control = { account, prices, webhooks };

  async function answerRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    if (!request) return sendAnswer(response, { status: 413, body: {} });
    const answer = await answerControl(request, control);
    if (answer) return finish(() => sendAnswer(response, answer));
    const shown = answerPage(request, account, prices);
    if (shown) return finish(() => sendPage(response, shown));
    if (!request.path.startsWith('/v1/')) return sendAnswer(response, { status: 404, body: {} });
    arrived += 1;
    await stalled;
    finish(() => sendAnswer(response, answerCall(request)));
  }

  /** The state is on disk before an answer reports it. */
  function finish(send: () => void): void {
    account.save();
    send();
  }

  function answerCall(request: VenueRequest) {
    const { method, path, params, body } = request;
    if (failing.times > 0) {
      failing.times -= 1;
      const { status } = failing;
      return refuse(status, {
        type: status === 429 ? 'rate_limit_error' : 'api_error',
        message: 'Simulated',
      });
    }
    const answer = gate.answer(request, () => {
      const call = { method, path: path.replace(/^\/v1/, ''), query: params, form: readForm(body) };
      return answerApi(call, account, url);
    });
    account.save();
    return { ...answer, headers: { 'request-id': account.id('req') } };
  }

  const server = await serve(answerRequest, { port: options.port });
  url = server.url;
  const timer = setInterval(() => {
    catchUp(account);
    account.save();
  }, TICK_MS);
  timer.unref();
  catchUp(account);
  account.save();

  return {
    url,
    account,
    webhooks,
    pay(customerId) {
      const open = Object.values(account.state.sessions).find(
        ({ customer, status }) => customer === customerId && status === 'open',
      );
      return open !== undefined && completeSession(account, open, 'works');
    },
    async act(act, given = {}) {
      if (!(await doAct(control, { act, ...given }))) throw new Error(`no such act: ${act}`);
    },
    fail: (status, times) => {
      failing = { status, times };
    },
    stall() {
      const { promise, resolve } = Promise.withResolvers<void>();
      stalled = promise;
      return resolve;
    },
    calls: () => arrived,
    close() {
      clearInterval(timer);
      webhooks.close();
      return server.close();
    },
  };
}

function sendPage(response: ServerResponse, page: NonNullable<ReturnType<typeof answerPage>>): void {
  if ('location' in page) response.writeHead(303, { location: page.location }).end();
  else response.writeHead(page.status ?? 200, { 'content-type': 'text/html; charset=utf-8' }).end(page.html);
}

/** https://docs.stripe.com/webhooks#verify-manually */
function signAsStripe(
  { body }: { body: string },
  { secret, seconds }: { secret: string; seconds: number },
): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { 'stripe-signature': `t=${seconds},v1=${signature}` };
}
