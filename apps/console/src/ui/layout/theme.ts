import { createStore } from '../../lib/store.ts';
import { readChoice, rememberChoice } from '../../lib/stored-choice.ts';

const KEY = 'darkMode';
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

/** Whether the screen is dark. theme.js has set the class before the first paint. */
export const darkMode = createStore(root.classList.contains('dark'));

function apply(dark: boolean) {
  root.classList.toggle('dark', dark);
  darkMode.set(dark);
}

export function toggleDarkMode(): void {
  const dark = !darkMode.get();
  rememberChoice(KEY, String(dark));
  apply(dark);
}

system.addEventListener('change', (event) => {
  if (readChoice(KEY) === null) apply(event.matches);
});
