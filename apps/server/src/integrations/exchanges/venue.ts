import type { AccountType } from '@copydesk/domain';
import type { VenueErrors } from './errors/venue-errors.ts';
import type {
  ClosedPositionsPage,
  DecimalText,
  ExchangeCredentials,
  KeyInfo,
  OpenPosition,
} from './gateway.ts';
import type { DocumentedLimit } from './limits/token-bucket.ts';
import type { TimeRange } from './paging/windows.ts';
import type { RequestRule } from './transport/venue-fetch.ts';

/** One call of a venue. */
export interface Endpoint {
  /** ccxt's name of it, as in privateGetV5PositionList. */
  method: string;
  /** What it costs of the venue's limit, as documented. */
  weight: number;
  /** What an answer costs on top, where the venue counts its rows. */
  extraWeight?: (answer: unknown) => number;
  /** Where the venue counts this call of an account apart from its others. */
  accountLimit?: DocumentedLimit;
}

/** Calls on behalf of one account during one read. Every call throws a GatewayError and nothing else. */
export interface Session {
  credentials: ExchangeCredentials;
  call(endpoint: Endpoint, params?: Record<string, unknown>): Promise<unknown>;
  /** Without anybody's key. */
  callPublic(endpoint: Endpoint, params?: Record<string, unknown>): Promise<unknown>;
  now(): number;
}

export interface AccountIdentity {
  accUid: string;
  accountType: AccountType | null;
  mayWithdraw: boolean | null;
}

/** What is read of a venue, in the gateway's terms. */
export interface VenueReader {
  /** Asks about the key: proves that the venue knows it. */
  identify(session: Session): Promise<AccountIdentity>;
  equityUsd(session: Session): Promise<DecimalText>;
  openPositions(session: Session): Promise<OpenPosition[]>;
  closedPositions(session: Session, range: TimeRange, cursor: string | null): Promise<ClosedPositionsPage>;
  keyInfo(session: Session): Promise<Omit<KeyInfo, 'readAt'>>;
}

export interface Venue {
  reader: VenueReader;
  /** Every call that the reader makes; ccxt's instances are left with these alone. */
  endpoints: Readonly<Record<string, Endpoint>>;
  errors: VenueErrors;
  /** All that may be sent to it: reads. */
  isAllowed: RequestRule;
  limits: {
    /** Of our address, for all accounts together. */
    venue: DocumentedLimit;
    /** Of one account, for all calls without a limit of their own. */
    account: DocumentedLimit;
  };
}

export const onlyReads: RequestRule = (method) => method === 'GET';
