import { menuEntries } from '../../ui/form/menu.tsx';

/** Something that can be done on the open screen. */
export interface ScreenAct {
  label: string;
  /** The part of the screen or the object that it is about; null: the screen itself. */
  of: string | null;
  run(): void;
}

/** Buttons of headers, panels, lists and of the record that is open beside one. */
const ACTS = 'main [data-acts] button, main aside[aria-label] button';
/** They change what is shown, and do nothing to it. */
const NO_ACTS = '[aria-pressed], [role=tab], [aria-haspopup=listbox], td *, [aria-label^="Copy "]';
/** They close or open a part of what is seen. */
const VIEWS = /^(Close|Search|Retry|Show|Hide|Reload)\b/;

/**
 * The acts of the open screen, in its order. What is on screen is what its reader may do there at the moment: a list of
 * its own could say otherwise. Acts that are not possible now are left out.
 */
export function readScreenActs(): ScreenAct[] {
  const acts = [...document.querySelectorAll<HTMLButtonElement>(ACTS)].flatMap((button): ScreenAct[] => {
    const label = (button.getAttribute('aria-label') ?? button.textContent ?? '').trim();
    const isActive = !button.disabled && button.getAttribute('aria-disabled') !== 'true';
    if (
      label === '' ||
      VIEWS.test(label) ||
      !isActive ||
      button.matches(NO_ACTS) ||
      !button.checkVisibility()
    )
      return [];
    const of = partOf(button);
    if (!button.matches('[aria-haspopup=menu]')) return [{ label, of, run: () => press(button) }];
    return menuEntries(button).map(({ text, onSelect }) => ({
      label: text,
      of,
      run: () => choose(button, onSelect),
    }));
  });
  // Two of one name and place cannot be told apart.
  const names = acts.map(({ label, of }) => `${label} ${of}`);
  return acts.filter((_, at) => names.indexOf(names[at] as string) === at);
}

function partOf(button: Element): string | null {
  const part = button.closest('aside[aria-label], section[aria-labelledby]');
  const heading = document.getElementById(part?.getAttribute('aria-labelledby') ?? '');
  // The name alone: a count may follow it.
  return part?.getAttribute('aria-label') ?? heading?.firstChild?.textContent ?? null;
}

const press = (button: HTMLButtonElement) => choose(button, () => button.click());

/** The focus goes there first, so that what it opens gives it back to the button. */
function choose(button: HTMLButtonElement, act: () => void) {
  if (!button.isConnected) return;
  button.focus();
  act();
}
