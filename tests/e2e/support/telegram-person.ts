import { expect } from '@playwright/test';

/** The platform's bot of the demo world. */
export const PLATFORM_BOT = 1_000_001;

export interface Person {
  id: number;
  first_name: string;
  last_name?: string;
  language_code?: string;
}

interface Received {
  /** The bot's markup. */
  html: string;
  text: string;
}

/** Plays a person in front of a bot of this worker's demo world. */
export function telegramPerson(bot: number, person: Person) {
  // Read late: the worker's index is known once a test runs.
  const url = () =>
    `${process.env.E2E_TELEGRAM_URLS?.split(' ')[Number(process.env.TEST_PARALLEL_INDEX)]}/__people`;
  const read = async (answer: Response): Promise<Received[]> => {
    expect(answer.status).toBe(200);
    const { messages } = (await answer.json()) as { messages: Received[] };
    return messages.map(({ html, text }) => ({ html, text: text.replace(/[\u2066-\u2069]/g, '') }));
  };
  return {
    received: async () => read(await fetch(`${url()}?bot=${bot}&person=${person.id}`)),
    /** Writes, which opens the chat. @returns what the person has got */
    act: async (what: { text: string; blocks?: true }) =>
      read(
        await fetch(url(), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ bot, person, ...what }),
        }),
      ),
  };
}
