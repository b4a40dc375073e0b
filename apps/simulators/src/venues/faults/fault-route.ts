import type { ReceivedAnswer, VenueRequest } from '../venue.ts';
import { FAULT_KINDS, type Fault, type Faults } from './faults.ts';

export const FAULT_PATH = '/__faults';

/** GET lists the faults, POST adds one, DELETE removes all. Only for programs on this machine. */
export function answerFaultRequest(request: VenueRequest, faults: Faults): ReceivedAnswer {
  if (!/^(127\.|::1$)/.test(request.ip)) return { status: 403, body: { error: 'from this machine only' } };
  if (request.method === 'DELETE') faults.clear();
  else if (request.method === 'POST') {
    const fault = readFault(request);
    if (typeof fault === 'string') return { status: 400, body: { error: fault } };
    faults.set(fault);
  } else if (request.method !== 'GET')
    return { status: 405, body: { error: 'GET, POST and DELETE' }, headers: { allow: 'GET, POST, DELETE' } };
  return { status: 200, body: { faults: faults.list() } };
}

/** A fault, or the error in it. */
function readFault({ headers, body }: VenueRequest): Fault | string {
  // A web page can send a form to any address, but not JSON.
  if (!headers['content-type']?.startsWith('application/json'))
    return 'content-type must be application/json';
  try {
    const { kind, path, account, times, ms, body: shape } = JSON.parse(body);
    if (!FAULT_KINDS.includes(kind)) return `kind must be one of ${FAULT_KINDS.join(', ')}`;
    if (![path, account].every((text) => text === undefined || typeof text === 'string'))
      return 'path and account must be texts';
    if (![times, ms].every((number) => number === undefined || (Number.isInteger(number) && number > 0)))
      return 'times and ms must be whole numbers above 0';
    if (![undefined, 'truncated', 'html'].includes(shape)) return 'body must be truncated or html';
    return { kind, path, account, times, ms, body: shape };
  } catch {
    return 'the body must be a JSON object';
  }
}
