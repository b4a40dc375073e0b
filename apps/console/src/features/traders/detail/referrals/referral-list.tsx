import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import { messageOf } from '../../../../lib/api/api-error.ts';
import { PART_OF_AUM } from '../../../../lib/format/aum-texts.ts';
import { QueryState } from '../../../../ui/feedback/query-state.tsx';
import { Money } from '../../../../ui/figures/money.tsx';
import { YourPart } from '../../../../ui/figures/your-part.tsx';
import { Button } from '../../../../ui/form/button.tsx';
import { REFERRALS_STEP, type Referral, referralsQuery } from './referrals-query.ts';

/** Traders that a trader has referred; each unfolds into its own. */
export function ReferralList({ traderId, of }: { traderId: string; of: string }) {
  const [limit, setLimit] = useState(REFERRALS_STEP);
  const { data, error, refetch, isPlaceholderData } = useQuery(referralsQuery(traderId, limit));
  return (
    <QueryState
      small
      error={
        error && !data ? { title: 'The referrals could not be loaded', message: messageOf(error) } : null
      }
      onRetry={() => void refetch()}
      isLoading={!data}
      loading={<div aria-hidden="true" className="skeleton h-9" />}
      isEmpty={false}
      empty={null}
    >
      {data && (
        <>
          <ul aria-label={`Referred by ${of}`} className={clsx(isPlaceholderData && 'opacity-55')}>
            {data.data.map((referral) => (
              <Row key={referral.id} referral={referral} />
            ))}
          </ul>
          {data.meta.total > data.data.length && (
            <Button look="quiet" className="h-7! w-full" onClick={() => setLimit(limit + REFERRALS_STEP)}>
              Show more
            </Button>
          )}
        </>
      )}
    </QueryState>
  );
}

function Row({ referral }: { referral: Referral }) {
  const [isOpen, setOpen] = useState(false);
  const { id, display_name: name, aum, aum_is_part, earned, referral_count: count } = referral;
  return (
    <li className="border-t border-line first:border-t-0">
      <div className="flex items-center gap-1 py-1.5">
        {count > 0 ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={`Referrals of ${name}`}
            onClick={() => setOpen(!isOpen)}
            className="-ms-1.5 flex size-6 shrink-0 items-center justify-center rounded text-muted hover:bg-subtle hover:text-ink"
          >
            <ChevronRight
              className={clsx('size-3.5 transition-transform', isOpen && 'rotate-90')}
              aria-hidden="true"
            />
          </button>
        ) : (
          <span className="-ms-1.5 w-6 shrink-0" />
        )}
        <div className="min-w-0 flex-1">
          <div className="flex items-baseline justify-between gap-3">
            <Link
              to="/trader/$traderId"
              params={{ traderId: id }}
              className="truncate rounded font-medium hover:text-accent hover:underline"
            >
              {name}
            </Link>
            <span className="flex shrink-0 items-center gap-1.5 tabular-nums">
              <YourPart isPart={aum_is_part} title={PART_OF_AUM} />
              <Money amount={aum} as="equity" />
            </span>
          </div>
          <p className="truncate text-xs text-muted tabular-nums">
            Earned <Money amount={earned} />
          </p>
        </div>
      </div>
      {isOpen && (
        <div className="mb-1.5 ms-1.5 border-s border-line ps-3">
          <ReferralList traderId={id} of={name} />
        </div>
      )}
    </li>
  );
}
