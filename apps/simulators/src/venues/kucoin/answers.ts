import { type ReceivedAnswer, VenueRefusal } from '../venue.ts';

/** Codes and texts: https://www.kucoin.com/docs-new/error-code/http-status-code-and-system-code */
const ERRORS = {
  400001: [401, 'Please check the header of your request for KC-API-KEY, KC-API-SIGN, KC-API-TIMESTAMP'],
  400002: [401, 'KC-API-TIMESTAMP Invalid'],
  400003: [401, 'KC-API-KEY not exists'],
  400004: [401, 'KC-API-PASSPHRASE error'],
  400005: [401, 'Signature error'],
  400006: [401, 'The requested ip address is not in the api whitelist'],
  400007: [401, 'Access denied, the API key does not have sufficient privileges'],
  400100: [400, 'Parameter Error'],
  404000: [404, 'URL Not Found'],
  429000: [429, 'Too many requests in a short period of time, please retry later'],
  500000: [500, 'Internal Server Error'],
  503000: [503, 'Service Unavailable'],
} as const;
export type KucoinCode = keyof typeof ERRORS;

export function succeed(data: unknown): ReceivedAnswer {
  return { status: 200, body: { code: '200000', data } };
}

export function fail(code: KucoinCode, detail?: string): ReceivedAnswer {
  const [status, msg] = ERRORS[code];
  return { status, body: { code: String(code), msg: detail ? `${msg}: ${detail}` : msg } };
}

export function refuse(code: KucoinCode, detail?: string): VenueRefusal {
  return new VenueRefusal(fail(code, detail));
}
