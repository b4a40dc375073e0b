import { useLayoutEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { showPart } from '../../../testing/show-screen.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';

const COLUMNS: readonly Column<string, 'name'>[] = [
  { id: 'name', header: 'Name', track: '8rem', cell: (name) => name },
];
const focused = () => document.activeElement?.getAttribute('aria-rowindex');

/** A thousand rows, which a press of the button gives other texts; `onDrawn` is called before the effects of a render. */
function Rows({ onDrawn }: { onDrawn(version: number): void }) {
  const [version, setVersion] = useState(0);
  useLayoutEffect(() => onDrawn(version), [version, onDrawn]);
  return (
    <div className="flex h-96 flex-col">
      <button type="button" onClick={() => setVersion(version + 1)}>
        Read again
      </button>
      <DataTable
        label="Names"
        columns={COLUMNS}
        rowCount={1_000}
        rowAt={(index) => `${index} of version ${version}`}
        sort={{ column: 'name', direction: 'asc' }}
        onSort={() => {}}
        onRangeChange={() => {}}
        card={{ height: 60, render: (name) => name }}
        resetKey="names"
        isStale={false}
      />
    </div>
  );
}

test('a key that is pressed while rows arrive moves the focus as at any time', async () => {
  let press: string | null = null;
  const onDrawn = () => {
    if (press === null) return;
    const key = press;
    press = null;
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  };
  await showPart(<Rows onDrawn={onDrawn} />);
  await expect.poll(() => document.querySelector('[aria-rowindex="2"]')).not.toBeNull();
  (document.querySelector('[aria-rowindex="2"]') as HTMLElement).focus();
  for (const [key, index] of [
    ['End', 1_001],
    ['Home', 2],
  ] as const) {
    press = key;
    // Without the pointer, which would take the focus.
    (page.getByRole('button', { name: 'Read again' }).element() as HTMLElement).click();
    await expect.poll(focused).toBe(`${index}`);
  }
});
