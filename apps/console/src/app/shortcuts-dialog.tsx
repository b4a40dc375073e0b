import { Fact, Facts } from '../ui/figures/fact.tsx';
import { Dialog, DialogBody } from '../ui/form/dialog.tsx';
import type { NavGroup } from './nav-links.ts';

const IN_LISTS = [
  ['Ctrl K', 'Search everything'],
  ['/', 'Search the list'],
  ['↑ ↓ or k j', 'Move through the rows'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['← →', 'Fold and unfold a group'],
  ['e', 'Export the list'],
] as const;

/** All keys. Letters are where an English keyboard has them, whatever is printed on the keys. */
export default function ShortcutsDialog({
  groups,
  onClose,
}: {
  groups: readonly NavGroup[];
  onClose(): void;
}) {
  const screens = groups.flatMap(({ links }) =>
    links.map(({ code, label }) => [`g ${code.slice(3).toLowerCase()}`, label] as const),
  );
  return (
    <Dialog title="Keyboard shortcuts" text="Turn them off under Your settings." onClose={onClose}>
      <DialogBody>
        <div className="grid gap-6 sm:grid-cols-2">
          <Keys title="Lists" keys={IN_LISTS} />
          <Keys title="Go to" keys={screens} />
        </div>
      </DialogBody>
    </Dialog>
  );
}

function Keys({ title, keys }: { title: string; keys: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <Facts>
        {keys.map(([key, words]) => (
          <Fact
            key={key}
            label={
              <kbd className="rounded border border-line-strong bg-subtle px-1.5 py-0.5 font-mono text-xs text-ink">
                {key}
              </kbd>
            }
          >
            {words}
          </Fact>
        ))}
      </Facts>
    </section>
  );
}
