import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useStore } from '../../lib/store.ts';
import { Button } from '../forms/button.tsx';
import { darkMode, toggleDarkMode } from './theme.ts';

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
