import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const LOOKS = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 390, height: 844 },
  { theme: 'dark', width: 390, height: 844 },
] as const;

/** Checks what is on the screen with axe: in both themes, at desk width and at phone width. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const { theme, width, height } of LOOKS) {
    await page.setViewportSize({ width, height });
    // As the toggle does, without leaving what is open on the screen.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveClass(theme === 'dark' ? /dark/ : /^$/);
    await page.waitForTimeout(SETTLED_MS);
    // The console has no frames, so axe need not put their results together in a page of its own.
    // Describing all that is well would take it as long again.
    const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
    // The other theme changes colours and nothing else.
    const { violations } = await (theme === 'dark' ? axe.withRules('color-contrast') : axe).analyze();
    const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
    expect(found, `${theme}, ${width} px`).toEqual([]);
  }
}

/** Colours change over 150 ms; axe would measure them half way. */
const SETTLED_MS = 200;
