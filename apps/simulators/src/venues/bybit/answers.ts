import { type ReceivedAnswer, VenueRefusal } from '../venue.ts';

/** Codes and texts: https://bybit-exchange.github.io/docs/v5/error */
const ERRORS = {
  10001: 'params error',
  10002: 'invalid request, please check your server timestamp or recv_window param',
  10003: 'API key is invalid.',
  10004: 'error sign! Please check your signature generation algorithm.',
  10005: 'Permission denied, please check your API key permissions.',
  10006: 'Too many visits. Exceeded the API Rate Limit.',
  10010: "Unmatched IP, please check your API key's bound IP addresses.",
  10016: 'Server error.',
  10017: 'Route not found.',
  131002: 'Parameter error',
  131209: 'Get subMember relation error',
  131210: 'Amount accuracy error',
  131212: 'Insufficient balance',
  131214: 'TransferId exist',
  131215: 'Amount error',
} as const;
export type BybitCode = keyof typeof ERRORS;

/** Every answer of v5 has this envelope, errors with HTTP 200 as well. */
export function succeed(result: object, now: number): ReceivedAnswer {
  return { status: 200, body: { retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: now } };
}

export function fail(code: BybitCode, now: number, detail?: string): ReceivedAnswer {
  const retMsg = detail ? `${ERRORS[code]}: ${detail}` : ERRORS[code];
  const status = code === 10017 ? 404 : 200;
  return { status, body: { retCode: code, retMsg, result: {}, retExtInfo: {}, time: now } };
}

export function refuse(code: BybitCode, now: number, detail?: string): VenueRefusal {
  return new VenueRefusal(fail(code, now, detail));
}

/** The load balancer's answer to an address over its limit; it is not JSON of the API. */
export function forbidden(): ReceivedAnswer {
  return { status: 403, text: 'access too frequent' };
}
