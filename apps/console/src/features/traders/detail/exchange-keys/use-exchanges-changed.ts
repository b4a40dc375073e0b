import { useQueryClient } from '@tanstack/react-query';
import { tradersKeys } from '../../traders-queries.ts';

/** After an account came or went: all that is known of the trader is asked for again. */
export function useExchangesChanged(traderId: string): () => void {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: tradersKeys.detail(traderId) });
    void client.invalidateQueries({ queryKey: tradersKeys.live(traderId) });
    client.removeQueries({ queryKey: tradersKeys.lists, type: 'inactive' });
  };
}
