import { EXCHANGES } from '@copydesk/domain/catalogue';
import {
  ACCOUNT_TYPES,
  CREDENTIAL_FIELDS,
  CREDENTIAL_MAX_LENGTH,
  CREDENTIAL_NAMES,
  CREDENTIALS,
  CREDENTIALS_REQUIRED,
  type CredentialName,
  EXCHANGE_PROBLEM_CODES,
  POSITION_SIDES,
} from '@copydesk/domain/trading';
import { z } from 'zod';
import { entries, ok, page } from '../entry.ts';
import { byId, decimalString, id, line, timestamp } from '../fields.ts';

const exchange = z.enum(EXCHANGES);
const accountType = z.enum(ACCOUNT_TYPES);
const accUid = line;

/** Why one exchange account could not be read. Other accounts in the answer are not affected. */
const problem = z.object({
  code: z.enum(EXCHANGE_PROBLEM_CODES),
  message: z.string(),
  retryable: z.boolean(),
  retry_after_ms: z.int().nullable(),
});

const ofAccount = {
  acc_uid: z.string(),
  exchange,
  provider_id: id,
  provider_name: z.string(),
};

/** A credential as it is listed: masked when it is a secret. */
const stored = z.string().nullable().optional();

/** An exchange account of a trader. Secrets are masked here; the reveal call returns the plain value. */
export const traderExchange = z.object({
  ...ofAccount,
  equity: decimalString.nullable(),
  equity_read_at: timestamp.nullable(),
  account_type: accountType.nullable().optional(),
  /** Whether its key may withdraw; null: the exchange does not say. */
  may_withdraw: z.boolean().nullable().optional(),
  /** Why the last background read failed; null: it succeeded. */
  read_error: z.enum(EXCHANGE_PROBLEM_CODES).nullable().optional(),
  /** Only super admins may reveal secrets of this provider; see also `reveal_super_only` of `GET /api/config`. */
  reveal_super_only: z.boolean().optional(),
  /** The last view of one of the secrets; null: none yet. */
  last_reveal: z
    .object({ field: z.enum(CREDENTIAL_FIELDS), at: timestamp, by: z.string(), by_id: z.string() })
    .nullable()
    .optional(),
  ...(Object.fromEntries(CREDENTIAL_NAMES.map((name) => [name, stored])) as {
    [N in CredentialName]: typeof stored;
  }),
});
export type TraderExchange = z.infer<typeof traderExchange>;

/** An open position, with the spec's names. */
export const openPosition = z.object({
  symbol: z.string(),
  side: z.enum(POSITION_SIDES),
  entryPrice: decimalString,
  markPrice: decimalString.nullable(),
  leverage: decimalString.nullable(),
  contracts: decimalString,
  unrealizedPnl: decimalString.nullable(),
  exchange,
  provider_name: z.string(),
  acc_uid: z.string(),
  read_at: timestamp,
});
export type OpenPosition = z.infer<typeof openPosition>;

const exchangeBalance = z.object({
  ...ofAccount,
  /** USD; the last known value when the exchange cannot be read now. */
  balance: decimalString.nullable(),
  read_at: timestamp.nullable(),
  error: problem.nullable(),
});

const ipWhitelist = z.object({
  exchange,
  accUid: z.string(),
  /** False: this exchange has no keys to restrict. */
  isSupported: z.boolean(),
  isRestricted: z.boolean().nullable(),
  /** Null while restricted: the exchange does not disclose the list. */
  ips: z.array(z.string()).nullable(),
  accountType: accountType.nullable(),
  read_at: timestamp.nullable(),
  error: problem.nullable(),
});

/** A refresh of a trader's AUM: the workers read its accounts one after another. */
const aumRefresh = z.object({
  state: z.enum(['idle', 'running', 'done', 'failed']),
  requested_at: timestamp.nullable(),
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  aum: z.number().nullable(),
  aum_read_at: timestamp.nullable(),
});

const pasted = z.string().trim().min(1, CREDENTIALS_REQUIRED).max(CREDENTIAL_MAX_LENGTH).optional();
/** Every credential by its name on the wire. Its exchange decides which ones are required. */
const connectBody = z.strictObject({
  exchange,
  provider_id: id,
  withdraw_reason: line
    .optional()
    .describe('after `key_may_withdraw`: why the key is connected although it may withdraw; audited'),
  replaces: accUid
    .optional()
    .describe('the account whose key this replaces: the key has to be of the same account'),
  ...(Object.fromEntries(CREDENTIAL_NAMES.map((name) => [CREDENTIALS[name].wire, pasted])) as {
    [N in CredentialName as (typeof CREDENTIALS)[N]['wire']]: typeof pasted;
  }),
});

export const exchangeCalls = entries({
  'POST /api/traders/{id}/exchange': {
    summary:
      'Connects an exchange account, or replaces its key: checks the credentials at the exchange, then stores them encrypted. A key that may withdraw needs a reason',
    permission: 'staff',
    capability: 'accounts:write',
    recentAuth: false,
    params: byId,
    body: connectBody,
    answer: ok(traderExchange),
    status: 201,
    errors: [
      'not_found',
      'exchange_credentials_required',
      'exchange_refused',
      'exchange_account_taken',
      'exchange_other_account',
      'exchange_unavailable',
      'key_may_withdraw',
    ],
    perMinute: 120,
  },
  'DELETE /api/traders/{id}/exchange': {
    summary:
      'Removes an exchange account from every list and sum; its closed positions remain. Its key is kept for one more read of what closed until now, a day at most, and then destroyed',
    permission: 'staff',
    capability: 'accounts:write',
    recentAuth: false,
    params: byId,
    body: z.strictObject({
      exchange,
      acc_uid: accUid,
      without_last_read: z
        .boolean()
        .optional()
        .describe('destroys the key at once: what closed since the last read is never known'),
    }),
    answer: ok(z.object({ exchange, acc_uid: z.string() })),
    errors: ['not_found'],
  },
  'POST /api/traders/{id}/exchange/reveal': {
    summary:
      'One secret of an exchange account in plain text. Every call is audited. A person may reveal ten accounts within an hour; after ten, a reason opens the next ten. One account counts once in ten minutes, whichever of its secrets and however often',
    permission: 'staff',
    capability: 'secrets:reveal',
    recentAuth: true,
    params: byId,
    body: z.strictObject({
      exchange,
      acc_uid: accUid,
      field: z.enum(CREDENTIAL_FIELDS),
      reason: line.optional().describe('after `reveal_reason_required`; recorded in the audit'),
    }),
    answer: ok(
      z.object({
        field: z.enum(CREDENTIAL_FIELDS),
        value: z.string(),
        /** Accounts that the person may reveal now before a reason is needed. */
        reveals_left: z.int(),
      }),
    ),
    errors: ['not_found', 'reveal_super_only', 'reveal_reason_required'],
  },
  'GET /api/traders/{id}/available-exchanges': {
    summary: 'Exchanges that the trader may connect, by the providers of its community',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    answer: ok(
      z.array(
        z.object({
          exchange,
          providers: z.array(z.object({ id, name: z.string() })),
          /** Number of the trader's connected accounts at this exchange. */
          connected: z.int(),
          /** Names of the fields that `POST /traders/{id}/exchange` needs for it. */
          fields: z.array(z.string()),
        }),
      ),
    ),
    errors: ['not_found'],
  },
  'GET /api/traders/{id}/positions': {
    summary: 'Open positions of all exchange accounts, read from the exchanges now',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    answer: page(openPosition, {
      accounts: z.array(z.object({ ...ofAccount, read_at: timestamp.nullable(), error: problem.nullable() })),
    }),
    errors: ['not_found'],
  },
  'GET /api/exchanges/trader/{id}/balances': {
    summary: 'USD equity by acc_uid, read from the exchanges now, with an error for each failed account',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    answer: ok(z.record(z.string(), exchangeBalance)),
    errors: ['not_found'],
  },
  'GET /api/exchanges/{exchange}/{id}/positions': {
    summary:
      'Open positions of one exchange account, read now. A failed exchange returns an empty list and its error',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: z.strictObject({ exchange, id }),
    query: z.strictObject({ acc_uid: accUid }),
    answer: page(openPosition, { read_at: timestamp.nullable(), error: problem.nullable() }),
    errors: ['not_found'],
  },
  'GET /api/traders/{id}/ip-whitelist': {
    summary: 'The keys according to the exchanges: allowed addresses, main account or subaccount',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    answer: ok(z.array(ipWhitelist)),
    errors: ['not_found'],
  },
  'POST /api/traders/{id}/refresh-aum': {
    summary: 'Requests a new reading of all accounts of a trader, ahead of the others',
    permission: 'staff',
    capability: 'traders:write',
    recentAuth: false,
    serviceScope: 'traders:write',
    params: byId,
    answer: ok(aumRefresh),
    errors: ['not_found'],
    perMinute: 120,
  },
  'POST /api/traders/{id}/ask-key': {
    summary: 'Asks a trader by Telegram for new keys where its exchanges refuse the present ones; once a day',
    permission: 'staff',
    capability: 'traders:write',
    recentAuth: false,
    params: byId,
    answer: ok(z.object({ message_id: id })),
    errors: ['not_found', 'keys_work', 'trader_not_reachable'],
    perMinute: 60,
  },
  'GET /api/traders/{id}/refresh-aum': {
    summary: 'Progress of the last refresh',
    permission: 'staff',
    capability: 'traders:read',
    recentAuth: false,
    serviceScope: 'traders:read',
    params: byId,
    answer: ok(aumRefresh),
    errors: ['not_found'],
  },
});
