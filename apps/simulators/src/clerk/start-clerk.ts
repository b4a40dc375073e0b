import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRequest } from '../venues/http/read-request.ts';
import { sendAnswer } from '../venues/http/send-answer.ts';
import { serve } from '../venues/http/serve.ts';
import { createWebhookSender, type WebhookSender } from '../webhooks/webhook-sender.ts';
import { answerBackend, refuse } from './backend/backend-api.ts';
import { createFrontendApi } from './frontend/frontend-api.ts';
import { type ClerkInstance, createInstance } from './instance.ts';
import { issueToken } from './session-token.ts';
import { signAsClerk } from './sign-webhook.ts';
import { createTokenSigner, type TokenSigner } from './token-signer.ts';

export interface ClerkOptions {
  secretKey: string;
  /** `whsec_` and base64. */
  webhookSecret: string;
  /** ms since 1970. */
  now?: () => number;
}

export interface RunningClerk {
  /** In place of https://api.clerk.com, and of the address for browsers. */
  url: string;
  /** The `iss` of its tokens. */
  issuer: string;
  instance: ClerkInstance;
  signer: TokenSigner;
  webhooks: WebhookSender;
  /** A token as a page of this origin gets it. */
  token(sessionId: string, origin: string): string;
  /** The next calls of the Backend API fail with this status. */
  fail(status: number, times: number): void;
  /** Calls of the Backend API since the start. */
  calls(): number;
  close(): Promise<void>;
}

/** Calls of the Frontend API, which has an address of its own at the vendor. */
const isOfBrowser = (path: string) => /^\/v1\/(environment|client|me|waitlist$|billing)/.test(path);

/** Starts a simulated Clerk with keys of its own on a port of its own. */
export async function startClerk({
  secretKey,
  webhookSecret,
  now = Date.now,
}: ClerkOptions): Promise<RunningClerk> {
  let url = '';
  let calls = 0;
  let failing = { status: 500, times: 0 };
  const webhooks = createWebhookSender({ url: null, secret: webhookSecret, sign: signAsClerk, now });
  const instance = createInstance({ now, emit: webhooks.emit });
  const signer = createTokenSigner();
  const answerFrontend = createFrontendApi({ instance, signer, issuer: () => url });

  async function answerRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    if (!request) return sendAnswer(response, { status: 413, body: {} });
    if (isOfBrowser(request.path)) return sendAnswer(response, answerFrontend(request));
    calls += 1;
    if (failing.times > 0) {
      failing.times -= 1;
      return sendAnswer(response, refuse(failing.status, 'simulated', 'Simulated'));
    }
    sendAnswer(response, answerBackend(request, { instance, secretKey }));
  }

  const server = await serve(answerRequest);
  url = server.url;
  return {
    url,
    issuer: url,
    instance,
    signer,
    webhooks,
    token: (sessionId, origin) => issueToken({ instance, signer }, sessionId, { issuer: url, origin }),
    fail: (status, times) => {
      failing = { status, times };
    },
    calls: () => calls,
    close() {
      webhooks.close();
      return server.close();
    },
  };
}
