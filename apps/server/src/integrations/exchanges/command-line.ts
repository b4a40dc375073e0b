import { parseArgs } from 'node:util';
import { EXCHANGES, type Exchange } from '@copydesk/domain/catalogue';
import {
  type CredentialName,
  type ExchangeCredentials,
  findCredentials,
  missingCredentials,
} from '@copydesk/domain/trading';
import type { GatewaySettings } from './gateway.ts';

/** The exchanges that ask for a credential. */
const askedBy = (name: CredentialName) =>
  EXCHANGES.filter((exchange) => missingCredentials(exchange, () => null).includes(name)).join(', ');

export const EXCHANGE_USAGE = `Usage: npm run exchange -- <exchange> [options] <what>
  <exchange>   ${EXCHANGES.join(', ')}
  <what>       balances, positions, closed, key-info, verify

  --key --secret                                     ${askedBy('api_key')}
  --passphrase                                       ${askedBy('passphrase')}
  --master-address --agent-address --agent-key       ${askedBy('master_address')}
  --since --until      range of closed positions, as in 2026-01-31T00:00:00Z; the last 7 days unless told
  --base-url           instead of the real address, as in http://127.0.0.1:4001
  --proxy              HTTP proxy, as in http://127.0.0.1:3128
  --timeout            of each request, in ms; 10000 unless told

Secrets may come from EXCHANGE_KEY, EXCHANGE_SECRET, EXCHANGE_PASSPHRASE and EXCHANGE_AGENT_KEY instead.`;

const COMMANDS = ['balances', 'positions', 'closed', 'key-info', 'verify'] as const;
const WEEK_MS = 7 * 86_400_000;

export interface ExchangeCommand {
  command: (typeof COMMANDS)[number];
  credentials: ExchangeCredentials;
  settings: GatewaySettings;
  range: { sinceMs: number; untilMs: number };
}

type Secrets = { [N in CredentialName]?: string | undefined };

const text = { type: 'string' } as const;
const OPTIONS = {
  key: text,
  secret: text,
  passphrase: text,
  'master-address': text,
  'agent-address': text,
  'agent-key': text,
  since: text,
  until: text,
  'base-url': text,
  proxy: text,
  timeout: text,
};

type Values = Partial<Record<keyof typeof OPTIONS, string>>;

/** The option of each credential. */
const OPTION_OF = {
  api_key: 'key',
  secret_key: 'secret',
  passphrase: 'passphrase',
  agent_private_key: 'agent-key',
  agent_address: 'agent-address',
  master_address: 'master-address',
} as const satisfies Record<CredentialName, keyof typeof OPTIONS>;

function readCredentials(exchange: Exchange, values: Values, secrets: Secrets): ExchangeCredentials | null {
  return findCredentials(exchange, (name) => values[OPTION_OF[name]] ?? secrets[name]);
}

function readSettings(values: Values): GatewaySettings | null {
  const timeoutMs = Number(values.timeout ?? 10_000);
  const { 'base-url': baseUrl, proxy: proxyUrl } = values;
  const urls = [baseUrl, proxyUrl].filter((url) => url !== undefined);
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || !urls.every((url) => URL.canParse(url))) return null;
  const venue = { baseUrl, proxyUrl, timeoutMs, budgetShare: 0.6 };
  return Object.fromEntries(EXCHANGES.map((exchange) => [exchange, venue])) as GatewaySettings;
}

/** The command line of `npm run exchange`; null when it does not match the usage. */
export function parseExchangeCommand(
  args: string[],
  secrets: Secrets,
  nowMs: number,
): ExchangeCommand | null {
  const parsed = parse(args);
  if (!parsed) return null;
  const { values, positionals } = parsed;
  const exchange = EXCHANGES.find((name) => name === positionals[0]);
  const command = COMMANDS.find((name) => name === positionals[1]);
  if (!exchange || !command || positionals.length !== 2) return null;
  const untilMs = values.until === undefined ? nowMs : Date.parse(values.until);
  const sinceMs = values.since === undefined ? untilMs - WEEK_MS : Date.parse(values.since);
  const credentials = readCredentials(exchange, values, secrets);
  const settings = readSettings(values);
  if (!credentials || !settings || !(sinceMs >= 0 && sinceMs <= untilMs)) return null;
  return { command, credentials, settings, range: { sinceMs, untilMs } };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch {
    return null; // its message would quote the input, secrets included
  }
}
