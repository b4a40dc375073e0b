import { clsx } from 'clsx';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Minus from 'lucide-react/icons/minus';
import Pin from 'lucide-react/icons/pin';
import Plus from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import { Button } from '../../form/button.tsx';
import { Checkbox } from '../../form/checkbox.tsx';

interface Choice {
  id: string;
  name: string;
  isShown: boolean;
}

interface ColumnChoicesProps {
  /** The columns that can be hidden and moved, in their order. */
  choices: readonly Choice[];
  /** The last of those that stay in view. */
  pinned: string | null;
  onShow(id: string, isShown: boolean): void;
  onOrder(ids: string[]): void;
  onWiden(id: string, byPx: number): void;
  onPin(id: string): void;
  onReset(): void;
}

const STEP_PX = 16;

/** Which columns a list shows, in which order, how wide, and up to which they stay in view. */
export function ColumnChoices(props: ColumnChoicesProps) {
  const { choices, pinned, onShow, onOrder, onWiden, onPin, onReset } = props;
  const ids = choices.map(({ id }) => id);
  const isLast = choices.filter(({ isShown }) => isShown).length === 1;
  const move = (at: number, by: 1 | -1) => {
    const moved = [...ids];
    const [id] = moved.splice(at, 1);
    if (id === undefined) return;
    moved.splice(at + by, 0, id);
    onOrder(moved);
  };
  return (
    <>
      <ul aria-label="Columns" className="max-h-96 overflow-y-auto p-1.5">
        {choices.map(({ id, name, isShown }, at) => (
          <li key={id} className="flex h-8 items-center gap-1 rounded ps-1.5 hover:bg-subtle">
            <span className="flex min-w-0 flex-1 items-center gap-2">
              <Checkbox
                label={`Show ${name}`}
                checked={isShown}
                // A table without a column could not be given one back.
                isDisabled={isShown && isLast}
                onChange={(isOn) => onShow(id, isOn)}
              />
              <span className={clsx('truncate', !isShown && 'text-muted')}>{name}</span>
            </span>
            <Act label={`Narrow ${name}`} isOff={!isShown} onPress={() => onWiden(id, -STEP_PX)}>
              <Minus />
            </Act>
            <Act label={`Widen ${name}`} isOff={!isShown} onPress={() => onWiden(id, STEP_PX)}>
              <Plus />
            </Act>
            <Act label={`Move ${name} towards the start`} isOff={at === 0} onPress={() => move(at, -1)}>
              <ArrowUp />
            </Act>
            <Act
              label={`Move ${name} towards the end`}
              isOff={at === ids.length - 1}
              onPress={() => move(at, 1)}
            >
              <ArrowDown />
            </Act>
            <Act
              label={`Keep columns up to ${name} in view`}
              isOff={!isShown}
              isOn={id === pinned}
              onPress={() => onPin(id)}
            >
              <Pin />
            </Act>
          </li>
        ))}
      </ul>
      <div className="flex justify-end border-t border-line p-1.5">
        <Button look="quiet" className="h-7! px-2!" onClick={onReset}>
          Reset columns
        </Button>
      </div>
    </>
  );
}

interface ActProps {
  label: string;
  isOff: boolean;
  isOn?: boolean;
  onPress(): void;
  children: ReactNode;
}

function Act({ label, isOff, isOn, onPress, children }: ActProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      aria-disabled={isOff || undefined}
      onClick={() => !isOff && onPress()}
      className={clsx(
        'flex size-6 shrink-0 items-center justify-center rounded hover:text-ink aria-disabled:opacity-30 [&>svg]:size-3.5',
        isOn ? 'text-accent' : 'text-muted',
      )}
    >
      {children}
    </button>
  );
}
