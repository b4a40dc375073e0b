import type { Locator } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { tradersList } from './support/traders-list.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Pastes as a browser does: an event with the text. */
const paste = (field: Locator, text: string) =>
  field.evaluate((element, pasted) => {
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as {
      DataTransfer: new () => { setData(type: string, text: string): void };
      ClipboardEvent: new (type: string, init: object) => Event;
    };
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    (element as unknown as { focus(): void; dispatchEvent(event: Event): void }).focus();
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

test('an address loses what pasting added, and none of its digits', async ({ page }) => {
  await page.goto('/providers');
  await page.getByRole('button', { name: 'New provider' }).click();
  const field = page.getByRole('dialog').getByRole('textbox', { name: /^Payout address/i });
  for (const pasted of [` ${ADDRESS}`, `\u200b${ADDRESS}\r\n`, `\u2066${ADDRESS}\u2069`]) {
    await field.fill('');
    await paste(field, pasted);
    await expect(field).toHaveValue(ADDRESS);
  }
  // What is too long stays whole, and is refused with what is left.
  await field.fill('');
  await paste(field, ` ${ADDRESS}00`);
  await expect(field).toHaveValue(`${ADDRESS}00`);
});

test('a search loses it as well', async ({ page }) => {
  const list = tradersList(page);
  await page.goto('/');
  await list.openSearch();
  await paste(list.searchBox, '\u2066 KAIT-10\u2069');
  await expect(list.searchBox).toHaveValue('KAIT-10');
});
