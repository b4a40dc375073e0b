import { useQuery } from '@tanstack/react-query';
import { useCan } from '../../lib/rights.ts';
import { attentionQuery } from './attention-queries.ts';

/** How many items wait for the reader, in the navigation. */
export default function AttentionCount({ isFolded }: { isFolded: boolean }) {
  const { data } = useQuery({
    ...attentionQuery({ tab: 'you', limit: '1' }),
    enabled: useCan('directory:read'),
  });
  const n = data?.meta.tabs.you ?? 0;
  if (n === 0) return null;
  if (isFolded)
    return (
      <>
        <span aria-hidden="true" className="absolute end-1.5 top-1.5 size-1.5 rounded-full bg-caution" />
        <span className="sr-only">{n} for you</span>
      </>
    );
  return (
    <span className="ms-auto rounded bg-caution-soft px-1.5 text-xs leading-5 font-medium text-caution tabular-nums">
      {n > 999 ? '999+' : n}
      <span className="sr-only"> for you</span>
    </span>
  );
}
