import { State } from '../../ui/feedback/state.tsx';
import { Name } from '../../ui/figures/linked.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { BELOW, LINES } from '../../ui/table/cell-lines.ts';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import type { ListedSubscription, Subscription } from './subscription-query.ts';
import { INTERVAL_WORDS, isPayable, noticesOf, priceWords, stateWords } from './subscription-texts.ts';
import { nextDay } from './subscriptions-list.ts';

interface Acts {
  offer: Pick<Subscription, 'is_configured' | 'plans'>;
  onManage(subscription: ListedSubscription): void;
  onSendLink(subscription: ListedSubscription): void;
}

function Plan({ subscription, offer }: { subscription: ListedSubscription } & Pick<Acts, 'offer'>) {
  const { interval, status } = subscription;
  if (interval === null || status === 'none') return null;
  const price = offer.plans[interval];
  return (
    <span className={LINES}>
      {INTERVAL_WORDS[interval].label}{' '}
      {price && status !== 'canceled' && <span className={BELOW}>{priceWords(price, interval)}</span>}
    </span>
  );
}

function Means({ subscription }: { subscription: ListedSubscription }) {
  return (
    <span className="block text-pretty whitespace-normal md:py-1.5">
      {stateWords(subscription).text}
      {noticesOf(subscription).map(({ title, text, tone }) => (
        <span key={title} className={tone === 'negative' ? 'block text-negative' : 'block text-caution'}>
          {title}. <span className={BELOW}>{text}</span>
        </span>
      ))}
    </span>
  );
}

/** The columns of all subscriptions. */
export const subscriptionColumns = ({
  offer,
  onManage,
  onSendLink,
}: Acts): readonly PlainColumn<ListedSubscription, string>[] => [
  {
    id: 'name',
    header: 'Community',
    width: '19%',
    sortable: true,
    isPinned: true,
    onCard: 'lead',
    cell: ({ community, community_id: communityId, is_archived: isArchived }) => (
      <bdi className="block truncate" title={community}>
        <Name
          to={{
            to: '/community-settings/$communityId',
            params: { communityId },
            search: { tab: 'settings' },
          }}
        >
          {community}
        </Name>
        {isArchived && <span className="ms-1.5 text-xs text-muted">Archived</span>}
      </bdi>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '10%',
    onCard: 'end',
    cell: (subscription) => {
      const { label, tone } = stateWords(subscription);
      return <State tone={tone}>{label}</State>;
    },
  },
  {
    id: 'means',
    header: 'What it means',
    width: '30%',
    onCard: 'line',
    cell: (subscription) => <Means subscription={subscription} />,
  },
  {
    id: 'plan',
    header: 'Plan',
    width: '11%',
    cell: (subscription) => <Plan subscription={subscription} offer={offer} />,
  },
  {
    id: 'next',
    header: 'Date',
    width: '12%',
    sortable: true,
    cell: (subscription) => {
      const day = nextDay(subscription);
      return day && <When at={day} as="day" />;
    },
  },
  {
    id: 'act',
    header: 'Manage',
    headerCell: <span className="sr-only">Manage</span>,
    width: '18%',
    align: 'end',
    isFixed: true,
    onCard: 'line',
    cell: (subscription) => (
      <span className="flex flex-wrap justify-end gap-1.5 md:py-1">
        {!subscription.is_archived && isPayable({ ...subscription, ...offer }) && (
          <Button
            className="h-7!"
            aria-label={`Send link to the owner of ${subscription.community}`}
            onClick={() => onSendLink(subscription)}
          >
            Send link
          </Button>
        )}
        {offer.is_configured && subscription.has_customer && (
          <Button
            className="h-7!"
            aria-label={`Manage ${subscription.community}`}
            onClick={() => onManage(subscription)}
          >
            Manage
          </Button>
        )}
      </span>
    ),
  },
];
