import { type ReceivedAnswer, VenueRefusal } from '../venue.ts';

/** Codes, statuses and texts: https://developers.binance.com/docs/derivatives/usds-margined-futures/error-code */
const ERRORS = {
  [-1000]: [500, 'An unknown error occurred while processing the request.'],
  [-1003]: [429, 'Too many requests; current limit of IP is exceeded. Please slow down.'],
  [-1021]: [400, 'Timestamp for this request is outside of the recvWindow.'],
  [-1022]: [400, 'Signature for this request is not valid.'],
  [-1023]: [400, 'Start time is greater than end time.'],
  [-1102]: [400, 'Mandatory parameter was not sent, was empty/null, or malformed.'],
  [-1121]: [400, 'Invalid symbol.'],
  [-1130]: [400, 'Data sent for parameter is not valid.'],
  [-2014]: [401, 'API-key format invalid.'],
  [-2015]: [401, 'Invalid API-key, IP, or permissions for action.'],
  [-4165]: [400, 'Search window is limited to a maximum of 7 days.'],
  [-4166]: [400, 'Search window is restricted to recent 90 days only.'],
  [-5000]: [404, 'Path is invalid.'],
} as const;
export type BinanceCode = keyof typeof ERRORS;

export function fail(code: BinanceCode, detail?: string): ReceivedAnswer {
  const [status, msg] = ERRORS[code];
  return { status, body: { code, msg: detail ? `${msg} (${detail})` : msg } };
}

export function refuse(code: BinanceCode, detail?: string): VenueRefusal {
  return new VenueRefusal(fail(code, detail));
}
