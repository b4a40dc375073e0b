import { useQuery } from '@tanstack/react-query';
import CircleOff from 'lucide-react/icons/circle-off';
import CirclePlay from 'lucide-react/icons/circle-play';
import Link2 from 'lucide-react/icons/link-2';
import Tags from 'lucide-react/icons/tags';
import Trash2 from 'lucide-react/icons/trash-2';
import { useMemo, useState } from 'react';
import { call } from '../../../lib/api/api.ts';
import { State } from '../../../ui/feedback/state.tsx';
import { toast } from '../../../ui/feedback/toast-store.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { MenuItem } from '../../../ui/form/menu.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import type { PlainColumn } from '../../../ui/table/plain-table/plain-column.ts';
import { PlainTable } from '../../../ui/table/plain-table/plain-table.tsx';
import { RowMenu } from '../../../ui/table/row-menu.tsx';
import { type Bot, botKeys, type Plan, plansQuery } from '../bot-queries.ts';
import { daysWords, planLink } from '../bot-texts.ts';
import { DeleteOfferDialog } from './delete-offer-dialog.tsx';
import { NewPlanDialog } from './new-plan-dialog.tsx';
import { OffersPanel } from './offers-panel.tsx';

type Asked = { what: 'new' } | { what: 'offer' | 'delete'; plan: Plan };

async function copyLink(bot: Bot, plan: Plan): Promise<void> {
  try {
    await navigator.clipboard.writeText(planLink(bot, plan));
    toast({ tone: 'positive', title: 'Link copied', text: `It opens ${plan.name} in Telegram.` });
  } catch {
    toast({ tone: 'negative', title: 'Copy failed', text: planLink(bot, plan) });
  }
}

const columnsOf = (bot: Bot, ask: (asked: Asked) => void): readonly PlainColumn<Plan>[] => [
  {
    id: 'plan',
    header: 'Plan',
    width: '40%',
    onCard: 'lead',
    cell: ({ name, is_active }) => (
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium max-md:whitespace-normal">{name}</span>
        {!is_active && <State tone="neutral">Not offered</State>}
      </span>
    ),
  },
  {
    id: 'duration',
    header: 'Duration',
    width: '22%',
    align: 'end',
    cell: ({ days }) => daysWords(days),
  },
  {
    id: 'price',
    header: 'Price (USDT)',
    width: '24%',
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} as="bare" />,
  },
  {
    id: 'actions',
    header: 'Actions',
    width: '14%',
    align: 'end',
    onCard: 'end',
    cell: (plan) => (
      <RowMenu of={plan.name}>
        <MenuItem
          icon={plan.is_active ? CircleOff : CirclePlay}
          text={plan.is_active ? 'Stop offering' : 'Offer'}
          onSelect={() => ask({ what: 'offer', plan })}
        />
        <MenuItem icon={Link2} text="Copy link" onSelect={() => void copyLink(bot, plan)} />
        <MenuItem icon={Trash2} text="Delete" onSelect={() => ask({ what: 'delete', plan })} />
      </RowMenu>
    ),
  },
];

/** What a bot sells. */
export function PlansPanel({ bot }: { bot: Bot }) {
  const botId = bot.id;
  const query = useQuery(plansQuery(botId));
  const [asked, setAsked] = useState<Asked | null>(null);
  const columns = useMemo(() => columnsOf(bot, setAsked), [bot]);
  const close = () => setAsked(null);
  return (
    <OffersPanel
      title="Plans"
      query={query}
      isEmpty={query.data?.length === 0}
      empty={{ icon: Tags, title: 'No plans', text: 'Without a plan the bot sells nothing.' }}
      add="New plan"
      onAdd={() => setAsked({ what: 'new' })}
      dialog={
        <>
          {asked?.what === 'new' && <NewPlanDialog botId={botId} onClose={close} />}
          {asked?.what === 'offer' && <OfferPlanDialog plan={asked.plan} onClose={close} />}
          {asked?.what === 'delete' && (
            <DeleteOfferDialog offer="plan" id={asked.plan.id} name={asked.plan.name} onClose={close} />
          )}
        </>
      }
    >
      <PlainTable
        label="Plans"
        columns={columns}
        rows={query.data ?? []}
        keyOf={({ id }) => id}
        dimmedOf={({ is_active }) => !is_active}
      />
    </OffersPanel>
  );
}

interface OfferPlanDialogProps {
  plan: Plan;
  onClose(): void;
}

/** Offers a plan, or stops offering it. */
function OfferPlanDialog({ plan, onClose }: OfferPlanDialogProps) {
  const isOffered = !plan.is_active;
  const change = useAct({
    send: () =>
      call('PATCH /api/exchange-bot/pricing/{id}', {
        params: { id: plan.id },
        body: { is_active: isOffered },
      }),
    done: () => ({ title: isOffered ? 'Plan offered' : 'Plan no longer offered', text: plan.name }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title={`${isOffered ? 'Offer' : 'Stop offering'} ${plan.name}`}
      text={isOffered ? 'People see it in the bot.' : 'People no longer see it. It can be offered again.'}
      confirm={isOffered ? 'Offer' : 'Stop offering'}
      busy="Saving..."
      {...change}
      onClose={onClose}
    />
  );
}
