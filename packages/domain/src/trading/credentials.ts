import type { Exchange } from '../catalogue.ts';

interface CredentialInput {
  /** Its name in the body of the call that connects an account. */
  wire: string;
  /** Its name in `ExchangeCredentials`. */
  key: string;
  /** As the screens name it (console spec, Trader detail). */
  label: string;
  /** Stored encrypted and shown masked. Others are addresses on a public chain. */
  isSecret: boolean;
  /** Covered while it is typed. */
  isCovered: boolean;
  /** False: the exchange needs it only to accept the account. */
  isNeededToRead: boolean;
}

/** Everything that an exchange may ask of a trader, by its stored name, in the order of an account's card. */
export const CREDENTIALS = {
  api_key: {
    wire: 'apiKey',
    key: 'apiKey',
    label: 'API Key',
    isSecret: true,
    isCovered: false,
    isNeededToRead: true,
  },
  secret_key: {
    wire: 'secretKey',
    key: 'secretKey',
    label: 'Secret Key',
    isSecret: true,
    isCovered: true,
    isNeededToRead: true,
  },
  passphrase: {
    wire: 'passphrase',
    key: 'passphrase',
    label: 'Passphrase',
    isSecret: true,
    isCovered: true,
    isNeededToRead: true,
  },
  agent_private_key: {
    wire: 'agent_private_key',
    key: 'agentPrivateKey',
    label: 'Agent Private Key',
    isSecret: true,
    isCovered: true,
    isNeededToRead: false,
  },
  agent_address: {
    wire: 'agent_address',
    key: 'agentAddress',
    label: 'Agent Address',
    isSecret: false,
    isCovered: false,
    isNeededToRead: false,
  },
  master_address: {
    wire: 'master_address',
    key: 'masterAddress',
    label: 'Master Address',
    isSecret: false,
    isCovered: false,
    isNeededToRead: true,
  },
} as const satisfies Record<string, CredentialInput>;

type Credentials = typeof CREDENTIALS;
export type CredentialName = keyof Credentials;
export const CREDENTIAL_NAMES = Object.keys(CREDENTIALS) as [CredentialName, ...CredentialName[]];

/** The specification's sentence for a missing credential. */
export const CREDENTIALS_REQUIRED =
  'For Hyperliquid, master_address, agent_address, and agent_private_key are required. For other exchanges, apiKey and secretKey are required.';

/** A pasted key or secret. Only the exchange knows its format. */
export const CREDENTIAL_MAX_LENGTH = 500;

/** The credentials of each exchange, in the order of the form. */
export const EXCHANGE_CREDENTIALS = {
  bybit: ['api_key', 'secret_key'],
  binance: ['api_key', 'secret_key'],
  okx: ['api_key', 'secret_key', 'passphrase'],
  kucoin: ['api_key', 'secret_key', 'passphrase'],
  hyperliquid: ['master_address', 'agent_address', 'agent_private_key'],
} as const satisfies Record<Exchange, readonly CredentialName[]>;

/** Secrets of an exchange account that are stored encrypted and listed masked. */
export type CredentialField = {
  [N in CredentialName]: Credentials[N]['isSecret'] extends true ? N : never;
}[CredentialName];
export const CREDENTIAL_FIELDS = CREDENTIAL_NAMES.filter((name) => CREDENTIALS[name].isSecret) as [
  CredentialField,
  ...CredentialField[],
];

/** The credentials of an account, by exchange. */
export type ExchangeCredentials = {
  [E in Exchange]: { exchange: E } & {
    [N in (typeof EXCHANGE_CREDENTIALS)[E][number] as Credentials[N]['key']]: string;
  };
}[Exchange];

/** Names of an exchange's credentials that `find` does not have. */
export function missingCredentials(
  exchange: Exchange,
  find: (name: CredentialName) => string | null | undefined,
): CredentialName[] {
  return EXCHANGE_CREDENTIALS[exchange].filter((name) => !find(name));
}

/** The credentials of an exchange as `find` has them; null when one is missing. */
export function findCredentials(
  exchange: Exchange,
  find: (name: CredentialName) => string | null | undefined,
): ExchangeCredentials | null {
  if (missingCredentials(exchange, find).length > 0) return null;
  return credentialsOf(exchange, find);
}

/**
 * The same for an account that is read again: credentials that only its connection needed may be missing, and are
 * empty then.
 */
export function findReadingCredentials(
  exchange: Exchange,
  find: (name: CredentialName) => string | null | undefined,
): ExchangeCredentials | null {
  const missing = missingCredentials(exchange, find);
  return missing.some((name) => CREDENTIALS[name].isNeededToRead) ? null : credentialsOf(exchange, find);
}

function credentialsOf(
  exchange: Exchange,
  find: (name: CredentialName) => string | null | undefined,
): ExchangeCredentials {
  const names: readonly CredentialName[] = EXCHANGE_CREDENTIALS[exchange];
  const values = names.map((name) => [CREDENTIALS[name].key, find(name) ?? '']);
  return { exchange, ...Object.fromEntries(values) } as ExchangeCredentials;
}

/** The secrets among credentials, by their stored name. */
export function secretsIn(credentials: ExchangeCredentials): Partial<Record<CredentialField, string>> {
  const names: readonly CredentialName[] = EXCHANGE_CREDENTIALS[credentials.exchange];
  const values = credentials as Record<string, string>;
  const secrets = names.filter((name) => CREDENTIALS[name].isSecret);
  return Object.fromEntries(secrets.map((name) => [name, values[CREDENTIALS[name].key]]));
}
