import type { ReceivedAnswer, VenueRequest } from '../venues/venue.ts';
import type { Bots } from './bots.ts';
import type { Outbox } from './outbox.ts';
import { answerPeopleRequest } from './people-route.ts';
import { TELEGRAM_FAULT_KINDS, type TelegramFault, type TelegramFaults } from './telegram-faults.ts';

const FAULT_PATH = '/__faults';
const MESSAGE_PATH = '/__messages';
const PEOPLE_PATH = '/__people';

/**
 * Calls for programs on this machine beside the Bot API: `/__messages` lists the messages of the platform's bot (GET) or
 * clears them (DELETE), `/__faults` lists the faults (GET), adds one (POST) or removes all (DELETE), `/__people` lets a
 * person write to a bot or press its buttons (POST), and lists what the person got (GET). Null: none of these.
 */
export function answerControlRequest(
  request: VenueRequest,
  { outbox, faults, bots, now }: { outbox: Outbox; faults: TelegramFaults; bots: Bots; now: () => number },
): ReceivedAnswer | null {
  const { path, method, ip, headers } = request;
  if (![FAULT_PATH, MESSAGE_PATH, PEOPLE_PATH].includes(path)) return null;
  if (!/^(127\.|::1$)/.test(ip)) return { status: 403, body: { error: 'from this machine only' } };
  // A web page can send a form to any address, but not JSON.
  if (method === 'POST' && !headers['content-type']?.startsWith('application/json'))
    return { status: 400, body: { error: 'content-type must be application/json' } };
  if (path === PEOPLE_PATH) return answerPeopleRequest(request, bots, now);
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
function readFault({ body }: VenueRequest): TelegramFault | string {
  try {
    const { kind, chatId, method, times, ms } = JSON.parse(body);
    if (!TELEGRAM_FAULT_KINDS.includes(kind)) return `kind must be one of ${TELEGRAM_FAULT_KINDS.join(', ')}`;
    for (const [name, value] of Object.entries({ chatId, method }))
      if (value !== undefined && typeof value !== 'string') return `${name} must be a text`;
    if (![times, ms].every((number) => number === undefined || (Number.isInteger(number) && number > 0)))
      return 'times and ms must be whole numbers above 0';
    return { kind, chatId, method, times, ms };
  } catch {
    return 'the body must be a JSON object';
  }
}
