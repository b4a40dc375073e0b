import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Describing all that is well would take as long again. */
const ALL_RULES: RunOptions = { resultTypes: ['violations'] };
/** Measuring contrast takes longer than all other rules. */
const STRUCTURE: RunOptions = { ...ALL_RULES, rules: { 'color-contrast': { enabled: false } } };
const COLOURS: RunOptions = { ...ALL_RULES, runOnly: ['color-contrast'] };

/**
 * The other theme changes colours and nothing else, and both widths share their colours: each layout is checked as a
 * whole, and its contrast in one theme.
 */
const LOOKS = [
  { theme: 'light', width: 390, height: 844, options: STRUCTURE },
  { theme: 'dark', width: 390, height: 844, options: COLOURS },
  { theme: 'light', width: 1440, height: 900, options: ALL_RULES },
] as const;

/** Checks what is on the screen with axe: in both themes, at desk width and at phone width. */
export async function expectAccessible(page: Page): Promise<void> {
  // Half a megabyte: loaded once for all states of a page.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE);
  for (const { theme, width, height, options } of LOOKS) {
    await page.setViewportSize({ width, height });
    // As the toggle does, without leaving what is open on the screen.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveClass(theme === 'dark' ? /dark/ : /^$/);
    await page.evaluate(STILL);
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${SHOWN}, ${JSON.stringify(options)})`);
    const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
    expect(found, `${theme}, ${width} px`).toEqual([]);
    expect(await page.evaluate<number>(BEYOND), `a second scroll bar at ${width} px`).toBe(0);
  }
}

/** What is behind a dialog has a test of its own. */
const SHOWN = `[...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1) ?? document`;

/** Pixels by which the page is longer than the window, although its main part scrolls. */
const BEYOND = `document.getElementById('main') ? document.documentElement.scrollHeight - innerHeight : 0`;

/** Colours change over a moment; axe would measure them half way. What turns for ever is not waited for. */
const STILL = `new Promise(requestAnimationFrame).then(() => Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished)))`;
