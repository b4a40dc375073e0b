import { searchedText } from '@copydesk/domain/text';
import { useQuery } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import type { LucideIcon } from 'lucide-react';
import Search from 'lucide-react/icons/search';
import Zap from 'lucide-react/icons/zap';
import { Dialog } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { messageOf } from '../../lib/api/api-error.ts';
import { useStore } from '../../lib/store.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/form/button.tsx';
import { FoundItem, KINDS } from './found-item.tsx';
import { keepRecent, recentlyFound } from './palette-store.ts';
import { readScreenActs, type ScreenAct } from './screen-acts.ts';
import { type Found, searchQuery } from './search-query.ts';

/** Asks the server once typing pauses for this long, not for each letter. */
const SETTLES_MS = 150;
/** The server's limit for a text. */
const MOST_TYPED = 200;

const SEARCH_TRADERS = 'list traders';
const foundValue = ({ kind, id }: Found) => `${kind} ${id}`;
const actValue = ({ label, of }: ScreenAct) => `act ${label} ${of}`;
const placeValue = ({ to, hash = '' }: Pick<Place, 'to' | 'hash'>) => `place ${to} ${hash}`;

/** A place of the console. */
export interface Place {
  label: string;
  icon: LucideIcon;
  to: NonNullable<LinkProps['to']>;
  /** A part of it. */
  hash?: string;
  /** One of many: shown only once a part of its name is typed. */
  isTypedFor?: boolean;
}

/** Of what is there without an answer of the server. */
const OWN_VALUE = /^(act|place|list) /;

interface PaletteProps {
  places: readonly Place[];
  isSuper: boolean;
  onClose(): void;
}

/**
 * One search of everything that the reader may see, of what can be done on the screen, and of the places of
 * the console.
 */
export default function Palette({ places, isSuper, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const text = searchedText(typed);
  const asked = useDebounced(text, SETTLES_MS);
  const { data, error, refetch } = useQuery(searchQuery(asked));
  const isAsking = text !== '' && (text !== asked || (!data && !error));
  // Matches of an earlier text are gone: Enter right after a paste would lead to one of them.
  const found = text === '' || isAsking ? [] : (data ?? []);
  const needle = text.toLowerCase();
  const near = places.filter(
    ({ label, isTypedFor }) => label.toLowerCase().includes(needle) && !(isTypedFor && needle === ''),
  );

  // The acts when it opened: the screen behind an open dialog does not change.
  const [acts] = useState(readScreenActs);
  const nearActs = acts.filter(({ label, of }) => `${label} ${of ?? ''}`.toLowerCase().includes(needle));

  const recent = useStore(recentlyFound);
  const lately = text === '' ? recent : [];
  const exact = found.filter(({ is_exact }) => is_exact);
  const rest = Object.entries(KINDS).map(([kind, { label }]) => ({
    label,
    items: found.filter((each) => each.kind === kind && !each.is_exact),
  }));
  // The first match is chosen as soon as it is there, until people choose another one.
  const ordered = [...lately, ...exact, ...rest.flatMap(({ items }) => items)].map(foundValue);
  const [first = nearActs[0] ? actValue(nearActs[0]) : near[0] && placeValue(near[0])] = ordered;
  const shown = `${text} ${ordered.join()}`;
  const [chosen, setChosen] = useState({ text, shown, value: first, isByKey: false });
  const movesByKey = useRef(false);
  // What people went to by key stays chosen when matches come above it; what moves under the pointer does not.
  const isThere = (value = '') => OWN_VALUE.test(value) || ordered.includes(value);
  const isKept = chosen.shown === shown || (chosen.isByKey && chosen.text === text && isThere(chosen.value));

  const go = (place: Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'>) => {
    onClose();
    void navigate(place as never);
  };
  // Runs once this dialog is gone: until then it keeps the focus.
  const act = ({ run }: ScreenAct) => {
    onClose();
    setTimeout(() => setTimeout(run));
  };
  const matches = (items: readonly Found[]) =>
    items.map((each) => (
      <Item
        key={foundValue(each)}
        value={foundValue(each)}
        onSelect={() => {
          keepRecent(each);
          go(KINDS[each.kind].to(each.id, isSuper));
        }}
      >
        <FoundItem {...each} />
      </Item>
    ));

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[10vh] z-40 mx-auto max-w-160 overflow-hidden rounded-lg border border-line bg-raised shadow-raised max-sm:inset-x-2 max-sm:top-2"
        >
          <Dialog.Title className="sr-only">Search or jump to</Dialog.Title>
          <Command
            shouldFilter={false}
            loop
            label="Search or jump to"
            value={(isKept ? chosen.value : first) ?? SEARCH_TRADERS}
            onKeyDown={({ key }) => {
              movesByKey.current = /^(Arrow|Home|End)/.test(key);
            }}
            onPointerMove={() => {
              movesByKey.current = false;
            }}
            onValueChange={(value) => setChosen({ text, shown, value, isByKey: movesByKey.current })}
          >
            <div className="flex items-center gap-2 border-b border-line px-3">
              <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <Command.Input
                value={typed}
                onValueChange={setTyped}
                maxLength={MOST_TYPED}
                placeholder="Name, reference number, address, hash, amount ..."
                className="h-11 min-w-0 flex-1 bg-transparent placeholder:text-muted focus:outline-none"
              />
            </div>
            <Command.List
              label="What was found"
              className="max-h-[min(28rem,70vh)] overflow-y-auto p-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
            >
              {lately.length > 0 && <Command.Group heading="Found lately">{matches(lately)}</Command.Group>}
              {exact.length > 0 && <Command.Group heading="Exactly this">{matches(exact)}</Command.Group>}
              {rest.map(
                ({ label, items }) =>
                  items.length > 0 && (
                    <Command.Group key={label} heading={label}>
                      {matches(items)}
                    </Command.Group>
                  ),
              )}
              {nearActs.length > 0 && (
                <Command.Group heading="On this screen">
                  {nearActs.map((each) => (
                    <Item key={actValue(each)} value={actValue(each)} onSelect={() => act(each)}>
                      <Zap aria-hidden="true" className="size-4 shrink-0 text-muted" />
                      <span className="truncate">{each.label}</span>
                      {each.of && <bdi className="truncate text-xs text-muted">{each.of}</bdi>}
                    </Item>
                  ))}
                </Command.Group>
              )}
              {near.length > 0 && (
                <Command.Group heading="Go to">
                  {near.map(({ label, icon: Icon, ...place }) => (
                    <Item
                      key={placeValue(place)}
                      value={placeValue(place)}
                      onSelect={() => go({ to: place.to, ...(place.hash && { hash: place.hash }) })}
                    >
                      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
                      {label}
                    </Item>
                  ))}
                </Command.Group>
              )}
              {text !== '' && (
                <Command.Group heading="Search a list">
                  <Item value={SEARCH_TRADERS} onSelect={() => go({ to: '/', search: { search: text } })}>
                    <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
                    <span className="truncate">
                      Traders with <bdi className="font-medium">{text}</bdi>
                    </span>
                  </Item>
                  <Item
                    value="list invoices"
                    onSelect={() => go({ to: '/invoices', search: { search: text } })}
                  >
                    <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
                    <span className="truncate">
                      Invoices of <bdi className="font-medium">{text}</bdi>
                    </span>
                  </Item>
                </Command.Group>
              )}
            </Command.List>
            <p role="status" className="border-t border-line px-3 py-2 text-xs text-muted empty:hidden">
              {error && !isAsking ? (
                <span className="flex items-center justify-between gap-3 text-negative">
                  {messageOf(error)}
                  <Button className="h-7! text-xs!" onClick={() => void refetch()}>
                    Retry
                  </Button>
                </span>
              ) : isAsking ? (
                'Searching...'
              ) : text !== '' && found.length === 0 ? (
                'Nothing that you may see has this name, number, address or amount'
              ) : null}
            </p>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ItemProps {
  value: string;
  onSelect(): void;
  children: ReactNode;
}

function Item({ value, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2 rounded px-2 data-[selected=true]:bg-accent-soft"
    >
      {children}
    </Command.Item>
  );
}
