/** An answer of the Bot API: every one is JSON, with the status in the body as well. */
export interface BotAnswer {
  status: number;
  body: object;
}

export const accept = (result: unknown): BotAnswer => ({ status: 200, body: { ok: true, result } });

export const refuse = (status: number, description: string, parameters?: object): BotAnswer => ({
  status,
  body: { ok: false, error_code: status, description, ...(parameters ? { parameters } : {}) },
});

export const badRequest = (what: string): BotAnswer => refuse(400, `Bad Request: ${what}`);

export const tooMany = (retryAfterS: number): BotAnswer =>
  refuse(429, `Too Many Requests: retry after ${retryAfterS}`, { retry_after: retryAfterS });
