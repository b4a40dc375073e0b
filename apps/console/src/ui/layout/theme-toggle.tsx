import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { createStore, useStore } from '../../lib/store.ts';
import { readChoice, rememberChoice } from '../../lib/stored-choice.ts';
import { Button } from '../form/button.tsx';

export function ThemeToggle() {
  const dark = useStore(darkMode);
  const label = dark ? 'Switch to light mode' : 'Switch to dark mode';
  const Icon = dark ? Sun : Moon;
  return (
    <Button square look="quiet" aria-label={label} title={label} onClick={toggleDarkMode}>
      <Icon className="size-4" aria-hidden="true" />
    </Button>
  );
}

const KEY = 'darkMode';
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

/** Whether the screen is dark. theme.js has set the class before the first paint. */
const darkMode = createStore(root.classList.contains('dark'));

function apply(dark: boolean) {
  root.classList.toggle('dark', dark);
  darkMode.set(dark);
}

function toggleDarkMode(): void {
  const dark = !darkMode.get();
  rememberChoice(KEY, String(dark));
  apply(dark);
}

system.addEventListener('change', (event) => {
  if (readChoice(KEY) === null) apply(event.matches);
});
