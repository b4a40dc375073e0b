import { isolatedName } from '@copydesk/domain/text';

/** Fields with the names of people, communities, providers and bots: those in `name`, `display_name`, `username` ... */
const NAMES = /(?:^|_)(?:user)?name$/;
/** Whether an answer has a letter that is written from right to left, or a mark that turns text. */
const TURNING =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802-\ud803\ud83a-\ud83b]/;

/**
 * The JSON of an answer, in which no name reverses the sentence around it. Done here for every sentence,
 * title and label: each is made of strings in places that cannot hold elements. The server stores lines without direction
 * marks, so a form may send such a name back.
 */
export function parseWithNames(text: string): unknown {
  if (!TURNING.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && NAMES.test(key) ? isolatedName(value) : value,
  );
}
