import type { ReceivedAnswer, VenueRequest } from '../venues/venue.ts';
import type { Bots } from './bots.ts';
import { actAs, type Person } from './people.ts';

const refusal = (status: number, error: string): ReceivedAnswer => ({ status, body: { error } });

/**
 * Plays a person: POST with `bot` (its id), `person` (as in the Bot API), and `text` or `press` (the data of
 * a button); with `blocks` the person blocks the bot, at once after the text if there is one. GET with `bot`
 * and `person` (its id) lists what the person got.
 */
export function answerPeopleRequest(
  { method, params, body }: VenueRequest,
  bots: Bots,
  now: () => number,
): ReceivedAnswer {
  if (method === 'GET') {
    const bot = bots.byId(Number(params.get('bot')));
    if (!bot) return refusal(404, 'no such bot, or no program has used it yet');
    const { received } = actAs(bot, { id: Number(params.get('person')) }, now);
    return { status: 200, body: { messages: received() } };
  }
  if (method !== 'POST') return refusal(405, 'no such method here');
  const given = readAct(body);
  if (typeof given === 'string') return refusal(400, given);
  const bot = bots.byId(given.bot);
  if (!bot) return refusal(404, 'no such bot, or no program has used it yet');
  const person = actAs(bot, given.person, now);
  try {
    if (given.text !== undefined) person.write(given.text);
    if (given.press !== undefined) person.press(given.press);
    if (given.blocks) person.block();
  } catch (error) {
    return refusal(409, (error as Error).message);
  }
  return { status: 200, body: { messages: person.received() } };
}

interface Act {
  bot: number;
  person: Person;
  text?: string;
  press?: string;
  blocks: boolean;
}

function readAct(body: string): Act | string {
  try {
    const { bot, person, text, press, blocks } = JSON.parse(body);
    if (!Number.isInteger(bot)) return 'bot must be the id of a bot';
    if (!Number.isInteger(person?.id) || person.id < 1) return 'person.id must be a whole number above 0';
    if ([text, press].some((value) => value !== undefined && typeof value !== 'string'))
      return 'text and press must be texts';
    if (text !== undefined && press !== undefined) return 'give text or press';
    if (text === undefined && press === undefined && blocks !== true) return 'give text, press or blocks';
    return { bot, person, text, press, blocks: blocks === true };
  } catch {
    return 'the body must be a JSON object';
  }
}
