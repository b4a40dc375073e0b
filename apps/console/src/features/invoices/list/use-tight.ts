import { useMedia } from '../../../ui/layout/use-media.ts';

/** Whether the columns are narrow, by the width of the window and the panel beside the list. */
export function useTight(isPanelOpen: boolean): boolean {
  const isWide = useMedia('(min-width: 1280px)');
  const isAlmostWide = useMedia('(min-width: 1120px)');
  return (isWide && isPanelOpen) || !isAlmostWide;
}
