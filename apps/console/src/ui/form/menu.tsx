import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Children, Fragment, isValidElement, type ReactNode } from 'react';

interface MenuProps {
  /** The menu's name, for screen readers. */
  label: string;
  trigger: ReactNode;
  children: ReactNode;
}

/** What the menu of a button has, also while it is closed: the search of the console offers it by name. */
const contents = new WeakMap<Element, ReactNode>();

export function Menu({ label, trigger, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild ref={(button) => void (button && contents.set(button, children))}>
        {trigger}
      </DropdownMenu.Trigger>
      {/* Rendered within the landmark of its subject. */}
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-40 max-h-[200px] min-w-52 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-raised"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface MenuItemProps {
  icon?: LucideIcon;
  text: string;
  /** Why it cannot be chosen now, in a few words. */
  disabled?: string | false;
  onSelect(): void;
}

export function MenuItem({ icon: Icon, text, disabled = false, onSelect }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      // Not `disabled`: arrow keys would pass it by, and its reason would reach no screen reader.
      aria-disabled={disabled !== false || undefined}
      onSelect={disabled === false ? onSelect : (event) => event.preventDefault()}
      className={clsx(
        'flex min-h-8 items-center gap-2.5 rounded px-2 py-1 whitespace-nowrap outline-none select-none data-[highlighted]:bg-subtle',
        disabled === false && 'cursor-pointer',
      )}
    >
      {Icon && <Icon className="size-4 shrink-0 text-muted" aria-hidden="true" />}
      <span className={disabled === false ? undefined : 'text-muted'}>
        {text}
        {disabled !== false && <span className="block text-xs">{disabled}</span>}
      </span>
    </DropdownMenu.Item>
  );
}

/** The entries of a button's menu that can be chosen now; none: it has no menu, or components of its own in it. */
export function menuEntries(button: Element): Pick<MenuItemProps, 'text' | 'onSelect'>[] {
  const entriesOf = (node: ReactNode): MenuItemProps[] =>
    Children.toArray(node).flatMap((each) => {
      if (!isValidElement<MenuItemProps & { children?: ReactNode }>(each)) return [];
      if (each.type === MenuItem) return each.props.disabled ? [] : [each.props];
      return each.type === Fragment ? entriesOf(each.props.children) : [];
    });
  return entriesOf(contents.get(button));
}

/** A text within a menu. It is a disabled item: assistive technology ignores a menu without items. */
export function MenuNote({ children }: { children: string }) {
  return (
    <DropdownMenu.Item disabled className="px-2 py-1.5 text-xs text-muted outline-none">
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
