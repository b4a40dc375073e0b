import { expect, type Locator } from '@playwright/test';

/** Closes a dialog above another one, or below one that has just closed: the key counts once the dialog listens. */
export async function pressEscape(dialog: Locator): Promise<void> {
  await expect(async () => {
    await dialog.page().keyboard.press('Escape');
    await expect(dialog).toBeHidden({ timeout: 2_000 });
  }).toPass();
}
