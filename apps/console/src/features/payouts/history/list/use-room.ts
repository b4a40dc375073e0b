import { useMedia } from '../../../../ui/layout/use-media.ts';
import type { Room } from './payout-columns.tsx';

/** How wide the columns are, by the width of the window and the panel beside the list. */
export function useRoom(isPanelOpen: boolean): Room {
  const isWide = useMedia('(min-width: 1280px)');
  const isMiddling = useMedia('(min-width: 1060px)');
  if (isWide) return isPanelOpen ? 'little' : 'much';
  return isMiddling ? 'some' : 'little';
}
