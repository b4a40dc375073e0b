import { AS_IS } from '@copydesk/domain/person';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Sort } from '../../lib/url/sorting.ts';
import { expectAccessible } from '../../testing/expect-accessible.ts';
import { showPart } from '../../testing/show-screen.tsx';
import { Checkbox } from '../form/checkbox.tsx';
import { DataTable } from './data-table/data-table.tsx';
import { Pager } from './pager.tsx';
import type { PlainColumn } from './plain-table/plain-column.ts';
import { PlainTable } from './plain-table/plain-table.tsx';

interface Row {
  id: string;
  name: string;
  amount: string;
}
type Id = 'name' | 'amount';

const rowsOf = (count: number, name = (n: number) => `Trader ${n}`): Row[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${n}`, name: name(n), amount: `${n}.50` }));

const COLUMNS: readonly PlainColumn<Row, Id>[] = [
  {
    id: 'name',
    header: 'Name',
    width: '60%',
    onCard: 'lead',
    sortable: true,
    cell: ({ name }) => <span className="block truncate">{name}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    width: '40%',
    align: 'end',
    sortable: true,
    cell: ({ amount }) => amount,
  },
];

function Plain({ rows }: { rows: Row[] }) {
  const [sort, setSort] = useState<Sort<Id>>({ column: 'amount', direction: 'desc' });
  return (
    <PlainTable
      label="Traders"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ id }) => id}
      {...{ sort, onSort: setSort }}
    />
  );
}

test('a column says how it sorts, and a press turns it round', async () => {
  await showPart(<Plain rows={rowsOf(2)} />);
  const amount = page.getByRole('columnheader', { name: 'Amount' });
  await expect.element(amount).toHaveAttribute('aria-sort', 'descending');
  await amount.getByRole('button').click();
  await expect.element(amount).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await expect.element(amount).toHaveAttribute('aria-sort', 'none');
  await expectAccessible();
});

test('at phone width each row is a card with the names of its fields, and nothing sticks out', async () => {
  await showPart(<Plain rows={rowsOf(2, () => 'W'.repeat(200))} />, { width: 390 });
  const list = page.getByRole('list', { name: 'Traders' });
  await expect.element(list.getByRole('listitem').first()).toHaveTextContent('Amount0.50');
  expect(page.getByRole('table').elements()).toEqual([]);
  expect(document.documentElement.scrollWidth).toBe(390);
});

function Long({ count, onOpen }: { count: number; onOpen(row: Row): void }) {
  const rows = rowsOf(count);
  return (
    <div style={{ height: 600, display: 'flex' }}>
      <DataTable<Row, Id>
        label="Traders"
        columns={[
          { id: 'name', header: 'Name', track: 'minmax(12rem, 1fr)', cell: ({ name }) => name },
          { id: 'amount', header: 'Amount', track: '8rem', align: 'end', cell: ({ amount }) => amount },
        ]}
        rowCount={count}
        rowAt={(index) => rows[index]}
        sort={{ column: 'name', direction: 'asc' }}
        onSort={() => {}}
        onOpen={onOpen}
        onRangeChange={noRange}
        card={{ height: 64, render: ({ name }) => name }}
        resetKey="all"
        isStale={false}
      />
    </div>
  );
}
const noRange = () => {};

test('ten thousand rows are a few in the page; the keyboard walks through all, and opens one', async () => {
  const opened: string[] = [];
  await showPart(<Long count={10_000} onOpen={({ name }) => opened.push(name)} />);
  const grid = page.getByRole('grid', { name: 'Traders' });
  await expect.element(grid).toHaveAttribute('aria-rowcount', '10001');
  const shown = () => grid.getByRole('row').elements();
  await expect.element(grid.getByText('Trader 0', { exact: true })).toBeVisible();
  expect(shown().length).toBeLessThan(40);
  // One stop of the Tab key.
  expect(document.querySelectorAll('[role=grid] tbody [tabindex="0"]')).toHaveLength(1);
  document.querySelector<HTMLElement>('[role=grid] tbody [tabindex="0"]')?.focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(opened).toEqual(['Trader 2']);
  await userEvent.keyboard('{End}');
  await expect.element(grid.getByText('Trader 9999', { exact: true })).toBeVisible();
  await expect.poll(() => document.activeElement?.textContent).toContain('Trader 9999');
  expect(shown().length).toBeLessThan(40);
  await userEvent.keyboard(' ');
  expect(opened).toEqual(['Trader 2', 'Trader 9999']);
});

function Pages() {
  const [at, setAt] = useState(1);
  return <Pager page={at} pageRows={10} total={25} onChange={setAt} />;
}

test('pages end at both ends', async () => {
  await showPart(<Pages />);
  const before = page.getByRole('button', { name: 'Previous page' });
  const next = page.getByRole('button', { name: 'Next page' });
  await expect.element(before).toBeDisabled();
  await next.click();
  await next.click();
  await expect.element(page.getByRole('status')).toHaveTextContent('21–25 of 25');
  await expect.element(next).toBeDisabled();
  await expect.element(before).toBeEnabled();
});

const TICKED = [
  { id: 'name', header: 'Name', width: '60%', track: '8rem', cell: ({ name }: Row) => name },
  {
    id: 'amount',
    header: 'Box',
    width: '40%',
    track: '8rem',
    cell: ({ name }: Row) => <Checkbox label={`Select ${name}`} checked={false} />,
  },
] as const;

/** A table of each kind, whose rows arrive when the button is pressed. @param keys which the rows of the last one took */
function Arriving({ keys }: { keys: string[] }) {
  const [isStale, setStale] = useState(true);
  const rows = rowsOf(1);
  const plain = { columns: TICKED, rows, keyOf: ({ id }: Row) => id, isStale };
  return (
    <>
      <button type="button" onClick={() => setStale(false)}>
        Arrive
      </button>
      <PlainTable label="Plain" {...plain} />
      <PlainTable label="Arranged" {...plain} arrangement={{ layout: AS_IS, onChange: () => {} }} />
      <div className="flex h-60 flex-col">
        <DataTable
          label="Long"
          columns={TICKED}
          rowCount={1}
          rowAt={() => rows[0]}
          sort={{ column: 'name', direction: 'asc' }}
          onSort={() => {}}
          onRangeChange={() => {}}
          card={{ height: 60, render: TICKED[1].cell }}
          onRowKey={(_, { key }) => keys.push(key) > 0}
          resetKey="names"
          isStale={isStale}
        />
      </div>
    </>
  );
}

for (const width of [1_440, 390])
  test(`rows that are about to go cannot be selected, at ${width} px`, async () => {
    const keys: string[] = [];
    await showPart(<Arriving keys={keys} />, { width });
    const boxes = page.getByRole('checkbox', { name: 'Select Trader 0' });
    const states = () => boxes.elements().map((box) => (box as HTMLInputElement).disabled);
    const press = () =>
      document
        .querySelector('[aria-label="Long"] [aria-rowindex="2"]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }));
    await expect.poll(states).toEqual([true, true, true]);
    press();
    expect(keys).toEqual([]);
    await page.getByRole('button', { name: 'Arrive' }).click();
    await expect.poll(states).toEqual([false, false, false]);
    press();
    expect(keys).toEqual(['x']);
  });
