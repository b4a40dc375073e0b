import type { AccountType, ExchangeCredentials } from '@copydesk/domain/trading';
import type { VenueErrors } from './errors/venue-errors.ts';
import type { ClosedPositionsPage, DecimalText, KeyInfo, OpenPosition } from './gateway.ts';
import type { DocumentedLimit } from './limits/token-bucket.ts';
import type { EarlyEnd } from './paging/page-trail.ts';
import type { TimeRange } from './paging/windows.ts';
import type { VenueRegions } from './regions.ts';
import type { RequestRule } from './transport/venue-fetch.ts';

/** One call of a venue. */
export interface Endpoint {
  /** ccxt's name of it, as in privateGetV5PositionList. */
  method: string;
  /** Its documented cost in the venue's limit. */
  weight: number;
  /** The additional cost of an answer, where the venue counts its rows. */
  extraWeight?: (answer: unknown) => number;
  /** Set where the venue counts this call of an account separately. */
  accountLimit?: DocumentedLimit;
  /** The path of the one POST that this call sends; without it a call only reads. */
  posts?: string;
}

/** Calls on behalf of one account during one read. Every call throws a GatewayError and nothing else. */
export interface Session {
  credentials: ExchangeCredentials;
  call(endpoint: Endpoint, params?: Record<string, unknown>): Promise<unknown>;
  /** Without a key. */
  callPublic(endpoint: Endpoint, params?: Record<string, unknown>): Promise<unknown>;
  /** Reports that a list of a call ended before its venue said so; null is no such end. */
  noteEnd(endpoint: Endpoint, end: EarlyEnd | null): void;
  now(): number;
}

export interface AccountIdentity {
  accUid: string;
  accountType: AccountType | null;
  mayWithdraw: boolean | null;
  /** See `KeyInfo`. */
  keyExpiresAt?: number | null;
}

/** Reads a venue in the gateway's terms. */
export interface VenueReader {
  /** Reads the key's information: proves that the venue knows it. */
  identify(session: Session): Promise<AccountIdentity>;
  equityUsd(session: Session): Promise<DecimalText>;
  openPositions(session: Session): Promise<OpenPosition[]>;
  closedPositions(session: Session, range: TimeRange, cursor: string | null): Promise<ClosedPositionsPage>;
  keyInfo(session: Session): Promise<Omit<KeyInfo, 'readAt'>>;
}

export interface Venue {
  reader: VenueReader;
  /** Every call of the reader; ccxt's instances keep only these. */
  endpoints: Readonly<Record<string, Endpoint>>;
  errors: VenueErrors;
  /** Platforms of the venue for some countries, whose keys its main one does not know. */
  regions?: VenueRegions;
  /** The requests that any call may send: reads. */
  isAllowed: RequestRule;
  limits: {
    /** For our address, across all accounts. */
    venue: DocumentedLimit;
    /** For one account, across all calls without a limit of their own. */
    account: DocumentedLimit;
  };
}

export const onlyReads: RequestRule = (method) => method === 'GET';
