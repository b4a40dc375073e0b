import { type ReceivedAnswer, VenueRefusal } from '../venue.ts';

/** Codes, statuses and texts: https://www.okx.com/docs-v5/en/#error-code */
const ERRORS = {
  50001: [503, 'Service temporarily unavailable. Please try again later'],
  50011: [429, 'Too Many Requests'],
  50026: [500, 'System error. Try again later'],
  50102: [401, 'Timestamp request expired'],
  50103: [401, 'Request header "OK-ACCESS-KEY" cannot be empty'],
  50104: [401, 'Request header "OK-ACCESS-PASSPHRASE" cannot be empty'],
  50105: [401, 'Request header "OK-ACCESS-PASSPHRASE" incorrect'],
  50106: [401, 'Request header "OK-ACCESS-SIGN" cannot be empty'],
  50107: [401, 'Request header "OK-ACCESS-TIMESTAMP" cannot be empty'],
  50110: [401, "Your IP is not included in your API key's IP whitelist"],
  50111: [401, 'Invalid OK-ACCESS-KEY'],
  50112: [401, 'Invalid OK-ACCESS-TIMESTAMP'],
  50113: [401, 'Invalid Sign'],
  50119: [401, "API key doesn't exist"],
  50120: [401, "This API key doesn't have permission to use this function"],
  51000: [400, 'Parameter error'],
} as const;
export type OkxCode = keyof typeof ERRORS;

export function succeed(data: object[]): ReceivedAnswer {
  return { status: 200, body: { code: '0', data, msg: '' } };
}

export function fail(code: OkxCode, detail?: string): ReceivedAnswer {
  const [status, msg] = ERRORS[code];
  return { status, body: { msg: detail ? `${msg}: ${detail}` : msg, code: String(code), data: [] } };
}

export function refuse(code: OkxCode, detail?: string): VenueRefusal {
  return new VenueRefusal(fail(code, detail));
}
