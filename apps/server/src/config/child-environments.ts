import { EXCHANGES } from '@copydesk/domain/catalogue';
import { VARIABLES_BY_SUBJECT } from './environment.ts';

/** TLS settings of the PostgreSQL driver. Passwords belong in DATABASE_URL. */
const DATABASE_TLS = ['PGSSLMODE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY'];

/** There is one API below `npm start`: no proxy has another one to send requests to. */
const WITHOUT_MEANING = ['DRAIN_MS'];

/**
 * The variables of a process, besides those of Node itself. Only processes that use a secret get it: an attacker in the
 * API, which faces the network, finds neither the owner's password nor the seed of the wallets.
 */
export function variablesOf(child: 'API' | 'worker'): string[] {
  const all = VARIABLES_BY_SUBJECT.flatMap(([, variables]) => Object.entries(variables));
  const own = all.filter(([name, { readers }]) => readers.includes(child) && !WITHOUT_MEANING.includes(name));
  return [...DATABASE_TLS, ...own.map(([name]) => name)];
}

/** All variables of the simulators; their chain stores its state in COPYDESK_DATA_DIR. */
export const SIMULATOR_VARIABLES = [
  'COPYDESK_DATA_DIR',
  'SIMULATORS_EPOCH',
  'SIMULATORS_TRADERS',
  'SIMULATORS_RATE_LIMITS',
  'SIMULATORS_TELEGRAM_TOKEN',
  'SIMULATORS_CHAIN_HOLDINGS',
  'SIMULATORS_POOLS',
  'SIMULATORS_POOL_FUNDS',
  'SIMULATORS_POOL_MEMBERS',
  'SIMULATORS_POOL_IDS',
  'SIMULATORS_PORT_TRADING_BOT',
  'SIMULATORS_BOT_SECRET',
  'SIMULATORS_ACK_URL',
  'SIMULATORS_ACK_SECRET',
  'SIMULATORS_BILLING_KEY',
  'SIMULATORS_BILLING_WEBHOOK_SECRET',
  'SIMULATORS_BILLING_WEBHOOK_URL',
  ...[...EXCHANGES, 'telegram', 'chain', 'billing'].map((name) => `SIMULATORS_PORT_${name.toUpperCase()}`),
];
