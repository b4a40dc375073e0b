import type { ReceivedAnswer, VenueRequest } from '../venues/venue.ts';
import type { Outbox } from './outbox.ts';
import { TELEGRAM_FAULT_KINDS, type TelegramFault, type TelegramFaults } from './telegram-faults.ts';

const FAULT_PATH = '/__faults';
const MESSAGE_PATH = '/__messages';

/**
 * Calls for programs on this machine beside the Bot API: `/__messages` lists the received messages (GET) or clears them
 * (DELETE), `/__faults` lists the faults (GET), adds one (POST) or removes all (DELETE). Null: neither.
 */
export function answerControlRequest(
  request: VenueRequest,
  { outbox, faults }: { outbox: Outbox; faults: TelegramFaults },
): ReceivedAnswer | null {
  const { path, method, ip } = request;
  if (path !== FAULT_PATH && path !== MESSAGE_PATH) return null;
  if (!/^(127\.|::1$)/.test(ip)) return { status: 403, body: { error: 'from this machine only' } };
  if (method === 'DELETE') (path === FAULT_PATH ? faults.clear : outbox.reset)();
  else if (method === 'POST' && path === FAULT_PATH) {
    const fault = readFault(request);
    if (typeof fault === 'string') return { status: 400, body: { error: fault } };
    faults.set(fault);
  } else if (method !== 'GET') return { status: 405, body: { error: 'no such method here' } };
  const body = path === FAULT_PATH ? { faults: faults.list() } : { messages: outbox.list() };
  return { status: 200, body };
}

/** A fault, or the error in it. */
function readFault({ headers, body }: VenueRequest): TelegramFault | string {
  // A web page can send a form to any address, but not JSON.
  if (!headers['content-type']?.startsWith('application/json'))
    return 'content-type must be application/json';
  try {
    const { kind, chatId, times, ms } = JSON.parse(body);
    if (!TELEGRAM_FAULT_KINDS.includes(kind)) return `kind must be one of ${TELEGRAM_FAULT_KINDS.join(', ')}`;
    if (![undefined, 'string'].includes(chatId && typeof chatId)) return 'chatId must be a text';
    if (![times, ms].every((number) => number === undefined || (Number.isInteger(number) && number > 0)))
      return 'times and ms must be whole numbers above 0';
    return { kind, chatId, times, ms };
  } catch {
    return 'the body must be a JSON object';
  }
}
