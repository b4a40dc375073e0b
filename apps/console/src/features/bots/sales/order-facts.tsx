import { Link } from '@tanstack/react-router';
import { splitWords } from '../../../lib/format/figures.ts';
import { Address } from '../../../ui/figures/address.tsx';
import { Fact, Facts } from '../../../ui/figures/fact.tsx';
import { Count, Name } from '../../../ui/figures/linked.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import type { Order } from '../bot-queries.ts';
import { buyerName } from './sale-texts.ts';

/** Who ordered what, and what is paid for it. */
export function OrderFacts({ order }: { order: Order }) {
  const { community_id: communityId, telegram_user_id: telegramId, discount_amount: discount } = order;
  return (
    <Facts>
      <Fact label="Buyer">
        <Name to={{ to: '/trader/$traderId', params: { traderId: order.trader_id } }}>
          {buyerName(order)}
        </Name>
        {order.trader_name && order.telegram_username && (
          <bdi className="ms-2 text-muted">@{order.telegram_username}</bdi>
        )}
      </Fact>
      {telegramId && (
        <Fact label="Messages of the bot">
          <Link
            to="/messages/bots"
            search={{ community: communityId, search: telegramId }}
            className="rounded text-accent hover:underline"
          >
            To Telegram ID {telegramId}
          </Link>
        </Fact>
      )}
      <Fact label="Bot">
        <Name to={{ to: '/community-settings/$communityId/bot', params: { communityId } }}>
          {`@${order.bot_username}`}
        </Name>
      </Fact>
      <Fact label="Community">
        <Name to={{ to: '/community-settings/$communityId', params: { communityId } }}>
          {order.community}
        </Name>
      </Fact>
      <Fact label="Plan">
        <bdi>{order.plan_name}</bdi>,{' '}
        <Count n={order.days} of={['day', 'days']} plain="It is the length of the plan" />
      </Fact>
      <Fact label="Price">
        <Money amount={order.price} />
      </Fact>
      {discount !== null && (
        <Fact label={`Coupon ${order.coupon_code}`}>
          −<Money amount={discount} />
        </Fact>
      )}
      <Fact label="To pay" isTotal>
        <Money amount={order.amount} />
      </Fact>
      <Fact label="Paid on chain">
        <Money amount={order.paid_amount} />
      </Fact>
      {order.credited_amount !== null && (
        <Fact label="Became credit of the buyer">
          <Money amount={order.credited_amount} />
        </Fact>
      )}
      <Fact label="Split">{splitWords(order.community_percentage)}</Fact>
      <Fact label="To be paid to">
        <Address address={order.payment_address} what="payment address" />
      </Fact>
      <Fact label="Invoice">
        <Link
          to="/invoices/$invoiceId"
          params={{ invoiceId: order.id }}
          className="rounded font-mono text-sm text-accent hover:underline"
        >
          {order.id.slice(0, 8)}
        </Link>
      </Fact>
    </Facts>
  );
}
