import { ATTENTION, type AttentionTurn, isLeft, type Urgency } from '@copydesk/domain/attention';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Money } from '../../ui/figures/money.tsx';
import { When } from '../../ui/figures/when.tsx';
import { Button } from '../../ui/form/button.tsx';
import { MenuItem, MenuLine } from '../../ui/form/menu.tsx';
import type { PlainColumn } from '../../ui/table/plain-table/plain-column.ts';
import { RowMenu } from '../../ui/table/row-menu.tsx';
import type { AttentionItem } from './attention-queries.ts';
import type { ShownKinds } from './shown-kind.ts';

export type RowAct = 'open' | 'take' | 'give_back' | 'hand_over' | 'snooze' | 'wake';

const DOTS: Record<Urgency, { look: string; words: string }> = {
  1: { look: 'bg-negative', words: 'Now' },
  2: { look: 'bg-caution', words: 'Soon' },
  3: { look: 'bg-control', words: 'When there is time' },
};

const TURNS: Record<AttentionTurn, string> = {
  you: 'You',
  another: 'Another super admin',
  colleague: 'A colleague',
  owner: 'The owner',
  trader: 'The trader',
  system: 'The system',
};

/** An item as one sentence. */
export function itemWords(kinds: ShownKinds, item: AttentionItem): string {
  const words = kinds[item.kind].words(item);
  return item.title === null ? words : `${item.title} ${words}`;
}

/** For whom an item waits, and whether the person who took it has left it undone. */
function Turn({ turn, taken, snoozed }: AttentionItem) {
  if (snoozed)
    return (
      <span className="text-pretty whitespace-normal text-muted">
        <bdi>{snoozed.by}</bdi>: <bdi>{snoozed.reason}</bdi>, back <When at={snoozed.until} as="ago" />
      </span>
    );
  if (!taken) return <span className={turn === 'you' ? undefined : 'text-muted'}>{TURNS[turn]}</span>;
  const wasLeft = isLeft(taken.at, new Date());
  return (
    <span
      className={clsx(
        'text-pretty whitespace-normal',
        wasLeft ? 'text-caution' : !taken.is_you && 'text-muted',
      )}
    >
      {taken.is_you ? 'You' : <bdi>{taken.by}</bdi>}, taken <When at={taken.at} as="ago" />
      {wasLeft && ', not done'}
    </span>
  );
}

export const attentionColumns = (
  kinds: ShownKinds,
  { mayMark, onAct }: { mayMark: boolean; onAct(item: AttentionItem, act: RowAct): void },
): readonly PlainColumn<AttentionItem>[] => [
  {
    id: 'what',
    header: 'What',
    width: '49%',
    onCard: 'lead',
    cell: (item) => {
      const { look, words } = DOTS[ATTENTION[item.kind].urgency];
      return (
        <span className="flex items-baseline gap-2.5 md:py-1.5">
          <span title={words} className={clsx('size-2 shrink-0 rounded-full', look)}>
            <span className="sr-only">{words}: </span>
          </span>
          <span className="min-w-0 text-pretty whitespace-normal">
            {item.title !== null && (
              <>
                <bdi className="font-medium break-words">{item.title}</bdi>{' '}
              </>
            )}
            {kinds[item.kind].words(item)}
            {item.provider !== null && (
              <span className="text-muted">
                {' '}
                · <bdi>{item.provider}</bdi>
              </span>
            )}
          </span>
        </span>
      );
    },
  },
  {
    id: 'amount',
    header: 'Amount',
    width: '13%',
    align: 'end',
    cell: ({ amount }) => (amount === null ? null : <Money amount={amount} />),
  },
  {
    id: 'since',
    header: 'Since',
    width: '10%',
    cell: ({ since }) => <When at={since} as="ago" />,
  },
  { id: 'turn', header: 'Waits for', width: '12%', onCard: 'line', cell: (item) => <Turn {...item} /> },
  {
    id: 'act',
    header: 'Next',
    width: '16%',
    align: 'end',
    onCard: 'line',
    cell: (item) => {
      const act = kinds[item.kind].act(item);
      return (
        <span className="flex items-center justify-end gap-1">
          {'to' in act ? (
            <Link
              {...act.to}
              className="inline-flex h-7 items-center rounded-md border border-line-strong bg-surface px-3 font-medium whitespace-nowrap hover:bg-hover"
            >
              {act.label}
            </Link>
          ) : (
            <Button className="h-7!" onClick={() => onAct(item, 'open')}>
              {act.label}
            </Button>
          )}
          {mayMark && (
            <RowMenu of={itemWords(kinds, item)}>
              {item.snoozed ? (
                <MenuItem text="Wake" onSelect={() => onAct(item, 'wake')} />
              ) : (
                <>
                  {item.taken?.is_you ? (
                    <MenuItem text="Give back" onSelect={() => onAct(item, 'give_back')} />
                  ) : (
                    <MenuItem text="Take" onSelect={() => onAct(item, 'take')} />
                  )}
                  <MenuItem text="Hand over..." onSelect={() => onAct(item, 'hand_over')} />
                  <MenuLine />
                  <MenuItem
                    text="Snooze..."
                    disabled={ATTENTION[item.kind].urgency === 1 && 'Money or trust is at stake'}
                    onSelect={() => onAct(item, 'snooze')}
                  />
                </>
              )}
            </RowMenu>
          )}
        </span>
      );
    },
  },
];
