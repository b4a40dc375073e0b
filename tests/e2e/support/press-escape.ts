import { expect, type Locator } from '@playwright/test';

/** Closes a dialog that has just opened above another one: the key counts once the dialog listens. */
export async function pressEscape(dialog: Locator): Promise<void> {
  await expect(async () => {
    await dialog.page().keyboard.press('Escape');
    await expect(dialog).toBeHidden({ timeout: 2_000 });
  }).toPass();
}
