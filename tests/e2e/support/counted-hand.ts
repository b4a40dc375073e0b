import type { Locator, Page } from '@playwright/test';

/** What a job took of a person. */
export interface Effort {
  clicks: number;
  keys: number;
  seconds: number;
}

export type Hand = ReturnType<typeof createHand>;

/** A person's hand on a page: every press of the mouse and of a key is counted, waiting is not. */
export function createHand(page: Page) {
  const begunAt = Date.now();
  let clicks = 0;
  let keys = 0;
  return {
    /** One click: on a button, a box, a link. */
    async press(target: Locator): Promise<void> {
      clicks += 1;
      await target.click();
    },
    /** Types into what has the focus: a key for each character. */
    async type(text: string): Promise<void> {
      keys += text.length;
      await page.keyboard.type(text);
    },
    /** One key, or several at once as in `Control+k`: each is counted. */
    async strike(chord: string): Promise<void> {
      keys += chord.split('+').length;
      await page.keyboard.press(chord);
    },
    effort: (): Effort => ({ clicks, keys, seconds: Math.round((Date.now() - begunAt) / 100) / 10 }),
  };
}
