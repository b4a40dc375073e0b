import { SESSION_HOURS } from '@copydesk/domain/access';
import { z } from 'zod';
import { httpAddress } from '../addresses.ts';
import { API, BOTH, type Variables } from '../variable.ts';

/** The console and the API. */
export const SERVER_VARIABLES = {
  PORT: {
    schema: z.coerce.number().int().min(0).max(65_535).default(3000),
    readers: BOTH,
    meaning: 'Port of the console and the API',
  },
  HOST: {
    schema: z.string().default('127.0.0.1'),
    readers: API,
    meaning: 'Address to listen on; `0.0.0.0` for all',
  },
  PUBLIC_URL: {
    schema: httpAddress.optional(),
    readers: BOTH,
    meaning:
      'Where people reach the console, as in `https://console.example.com`, for links in messages. With https, cookies are secure. Passkeys are bound to it',
    unset: 'this machine at `PORT`',
  },
  TRUSTED_PROXIES: {
    schema: z.coerce.number().int().min(0).max(5).default(0),
    readers: API,
    meaning: 'How many proxies in front set `X-Forwarded-For`, 0 to 5',
  },
  EXTERNAL_URL: {
    schema: httpAddress.default('https://example.com/'),
    readers: API,
    meaning: 'Where signed-in people without the admin flag are sent',
  },
  EXPLORER_URL: {
    schema: z.url({ protocol: /^https?$/ }).default('https://bscscan.com'),
    readers: API,
    meaning: 'Block explorer that the console links transactions to',
  },
  RATE_LIMIT_PER_MINUTE: {
    schema: z.coerce.number().int().min(1).max(1_000_000_000).default(1_200),
    readers: API,
    meaning: 'Requests that one caller may make in a minute',
  },
  DRAIN_MS: {
    schema: z.coerce.number().int().min(0).max(60_000).default(0),
    readers: API,
    meaning:
      'How long an API that is being stopped says so in `/api/ready` and answers on, for proxies in front of several',
  },
  SESSION_HOURS: {
    schema: z.coerce.number().int().min(1).max(24).default(SESSION_HOURS),
    readers: API,
    meaning:
      'Hours after which a session ends, unless its person authenticates again before, 1 to 24. It ends two hours after the last input in any case. A hosted identity service has limits of its own',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    readers: BOTH,
    meaning: '`trace` `debug` `info` `warn` `error` `fatal` `silent`',
    unset: '`info`; `warn` in the demo world',
  },
} satisfies Variables;
