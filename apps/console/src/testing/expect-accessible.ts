import axe from 'axe-core';
import { expect } from 'vitest';
import { page } from 'vitest/browser';

/** Describing all that is well would take as long again. */
const ALL_RULES: axe.RunOptions = { resultTypes: ['violations'] };
/** Measuring contrast takes longer than all other rules, and both widths share their colours. */
const STRUCTURE: axe.RunOptions = { ...ALL_RULES, rules: { 'color-contrast': { enabled: false } } };
const COLOURS: axe.RunOptions = { ...ALL_RULES, runOnly: ['color-contrast'] };

const LOOKS = [
  { isDark: true, width: 390, height: 844, options: COLOURS },
  { isDark: false, width: 390, height: 844, options: STRUCTURE },
  { isDark: false, width: 1440, height: 900, options: ALL_RULES },
] as const;

/** Checks what is on the screen with axe, in both themes, at phone width and at desk width. Ends at desk width. */
export async function expectAccessible(): Promise<void> {
  // A screen is loaded after its frame.
  if (document.getElementById('main')) await expect.poll(() => document.querySelector('h1')).not.toBeNull();
  for (const { isDark, width, height, options } of LOOKS) {
    await page.viewport(width, height);
    document.documentElement.classList.toggle('dark', isDark);
    await settled();
    const shown = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1) ?? document;
    const { violations } = await axe.run(shown, options);
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    expect(found, `${isDark ? 'dark' : 'light'}, ${width} px`).toEqual([]);
    if (document.getElementById('main'))
      expect(document.documentElement.scrollHeight - innerHeight, `a second scroll bar at ${width} px`).toBe(
        0,
      );
  }
}

/** Colours change over a moment; axe would measure them half way. What turns for ever is not waited for. */
async function settled(): Promise<void> {
  await new Promise(requestAnimationFrame);
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
