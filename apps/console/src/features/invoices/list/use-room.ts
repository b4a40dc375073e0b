import { useMedia } from '../../../ui/layout/use-media.ts';
import type { Room } from './invoice-columns.tsx';

/** How many columns fit, by the width of the window and the panel beside the list. */
export function useRoom(isPanelOpen: boolean): Room {
  const isWide = useMedia('(min-width: 1280px)');
  const isAlmostWide = useMedia('(min-width: 1120px)');
  const isMiddling = useMedia('(min-width: 1000px)');
  if (isWide && isPanelOpen) return 'few';
  if (isAlmostWide) return 'all';
  return isMiddling ? 'most' : 'fewest';
}
