import { z } from 'zod';
import { BOTH, NONE, type Variables } from '../variable.ts';

/** The demo world of `npm start`. */
export const DEMO_VARIABLES = {
  COPYDESK_DEMO: {
    schema: z.enum(['0', '1']).default('0'),
    readers: BOTH,
    meaning:
      'Set by `npm start` for its own processes; leave it alone. API and worker do not start with `1` and a database that is no demo world',
  },
  DEMO_FIRST_ACTS: {
    schema: z.enum(['0', '1']).default('1'),
    readers: NONE,
    meaning:
      'Whether personas of a new demo world change some settings, pay out some payables and leave some decisions open. `0`: nothing happens',
  },
  SIMULATORS_PORT_CHAIN: {
    schema: z.coerce.number().int().min(0).max(65_535).default(0),
    readers: NONE,
    meaning: "JSON-RPC port of the demo world's chain, for a wallet to connect to (chain 56)",
    unset: 'any that is free',
  },
  SIMULATORS_PORT_BYBIT: {
    schema: z.coerce.number().int().min(0).max(65_535).default(0),
    readers: NONE,
    meaning:
      "Port of the demo world's Bybit, to trade or withdraw as the owner of a pool (apps/simulators/README.md)",
    unset: 'any that is free',
  },
  SIMULATORS_PORT_TELEGRAM: {
    schema: z.coerce.number().int().min(0).max(65_535).default(0),
    readers: NONE,
    meaning:
      "Port of the demo world's Telegram, to write to bots of communities as a person (apps/simulators/README.md)",
    unset: 'any that is free',
  },
} satisfies Variables;
