import type { Theme } from '@copydesk/domain/person';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { createStore, useStore } from '../../lib/store.ts';
import { readChoice, rememberChoice } from '../../lib/stored-choice.ts';
import { Button } from '../form/button.tsx';

/** @param onChoose keeps the choice beyond this browser */
export function ThemeToggle({ onChoose }: { onChoose?: ((theme: Theme) => void) | undefined }) {
  const dark = useStore(darkMode);
  const label = dark ? 'Switch to light mode' : 'Switch to dark mode';
  const Icon = dark ? Sun : Moon;
  const toggle = () => {
    const theme = dark ? 'light' : 'dark';
    showTheme(theme);
    onChoose?.(theme);
  };
  return (
    <Button square look="quiet" aria-label={label} title={label} onClick={toggle}>
      <Icon className="size-4" aria-hidden="true" />
    </Button>
  );
}

/** What theme.js reads before the first paint: the last theme that was shown here. */
const KEY = 'darkMode';
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

/** Whether the screen is dark. theme.js has set the class before the first paint. */
const darkMode = createStore(root.classList.contains('dark'));

function apply(dark: boolean) {
  root.classList.toggle('dark', dark);
  darkMode.set(dark);
}

/** Shows a theme from now on, in this browser. */
export function showTheme(theme: Theme): void {
  const dark = theme === 'dark';
  rememberChoice(KEY, theme === 'system' ? null : String(dark));
  apply(theme === 'system' ? system.matches : dark);
}

system.addEventListener('change', (event) => {
  if (readChoice(KEY) === null) apply(event.matches);
});
