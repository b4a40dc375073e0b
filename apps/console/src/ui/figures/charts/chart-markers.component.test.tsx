import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/expect-accessible.ts';
import { showPart } from '../../../testing/show-screen.tsx';
import { CHART_PX } from './chart-axis.ts';
import type { FactKind, MarkedFact } from './chart-markers.tsx';
import DrawdownChart from './drawdown-chart.tsx';

const KINDS = {
  bill: { name: ['bill', 'bills'], color: 'var(--caution)', shape: 'square' },
  gift: { name: ['gift', 'gifts'], color: 'var(--positive)', shape: 'diamond' },
} as const satisfies Record<string, FactKind>;
type Kind = keyof typeof KINDS;

const factAt = (place: number, kind: Kind = 'bill', count = 1): MarkedFact<Kind> => ({
  kind,
  count,
  place,
  day: `day ${place}`,
  text: `${place}.00 USDT`,
});
const chart = (points: number, facts: readonly MarkedFact<Kind>[]) => (
  <DrawdownChart
    series={Array.from({ length: points }, (_, nth) => ({
      day: new Date(Date.UTC(2026, 0, 1 + nth)).toISOString().slice(0, 10),
      equity: String(1_000 + 10 * nth),
      drawdown: '0',
    }))}
    name="Equity"
    format={String}
    formatTick={String}
    facts={facts}
    kinds={KINDS}
  />
);

const lane = page.getByRole('toolbar', { name: 'Markers' });
const markers = () => lane.getByRole('button').elements();
const middleOf = (element: Element) => {
  const { x, width } = element.getBoundingClientRect();
  return x + width / 2;
};
/** Where the points of the line are on the screen. */
function pointsOfLine(): number[] {
  const line = document.querySelector('.recharts-area-curve');
  const from = line?.closest('svg')?.getBoundingClientRect().x ?? 0;
  return [...(line?.getAttribute('d') ?? '').matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => from + Number(x));
}
const drawn = async (points: number) => expect.poll(() => pointsOfLine().length).toBe(points);

test('a marker is above the point of its day, and those of one point are one with their number', async () => {
  await showPart(chart(10, [factAt(0), factAt(4, 'bill', 2), factAt(4, 'gift'), factAt(9, 'gift')]));
  await drawn(10);
  expect(markers().map(({ textContent }) => textContent)).toEqual([
    'day 0: 1 bill',
    '3day 4: 2 bills, 1 gift',
    'day 9: 1 gift',
  ]);
  const points = pointsOfLine();
  for (const [nth, place] of [0, 4, 9].entries())
    expect(Math.abs(middleOf(markers()[nth] as Element) - (points[place] ?? 0))).toBeLessThan(1);
  await expect.element(page.getByText('Bills', { exact: true })).toBeVisible();
  await expect.element(page.getByText('Gifts', { exact: true })).toBeVisible();
  await expectAccessible();
});

test('what a marker stands for is shown by pointer, tap and keyboard', async () => {
  await showPart(chart(10, [factAt(1), factAt(4, 'bill', 2), factAt(4, 'gift'), factAt(9)]));
  await drawn(10);
  const tip = page.getByRole('tooltip');
  await lane.getByRole('button', { name: /^3?\s*day 4/ }).hover();
  await expect.element(tip).toHaveTextContent('day 4 2 bills 4.00 USDTday 4 1 gift 4.00 USDT');
  await userEvent.unhover(lane.getByRole('button', { name: /^3?\s*day 4/ }));
  await expect.element(tip).not.toBeInTheDocument();
  // One stop of the keyboard for all of them.
  await userEvent.tab();
  expect(document.activeElement).toBe(markers()[0]);
  await expect.element(tip).toHaveTextContent('day 1 1 bill 1.00 USDT');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(document.activeElement).toBe(markers()[2]);
  await expect.element(tip).toHaveTextContent('day 9 1 bill');
  await userEvent.keyboard('{ArrowLeft}');
  expect(document.activeElement).toBe(markers()[1]);
  await userEvent.tab();
  expect(lane.element().contains(document.activeElement)).toBe(false);
});

test.each([
  [390, 11],
  [1440, 24],
])('a year of facts has room at %i px: no two markers meet, and none is on a label', async (width, most) => {
  await showPart(
    chart(
      365,
      Array.from({ length: 365 }, (_, day) => factAt(day)),
    ),
    { width },
  );
  await drawn(365);
  const boxes = markers().map((marker) => marker.getBoundingClientRect());
  expect(boxes.length).toBeGreaterThan(most / 2);
  expect(boxes.length).toBeLessThanOrEqual(most);
  for (const [nth, { left }] of boxes.entries())
    if (nth > 0) expect(left).toBeGreaterThanOrEqual(boxes[nth - 1]?.right ?? 0);
  const labels = [...document.querySelectorAll('.recharts-cartesian-axis-tick-value')].map((label) =>
    label.getBoundingClientRect(),
  );
  expect(labels.length).toBeGreaterThan(5);
  for (const box of boxes)
    for (const label of labels)
      expect(
        box.bottom <= label.top ||
          box.top >= label.bottom ||
          box.right <= label.left ||
          box.left >= label.right,
      ).toBe(true);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});

test('a chart is as high with markers as without', async () => {
  const heights = () =>
    [...document.querySelectorAll('.recharts-responsive-container, [role=toolbar]')].reduce(
      (sum, part) => sum + part.getBoundingClientRect().height,
      0,
    );
  const { rerender } = await showPart(chart(10, []));
  await drawn(10);
  expect(lane.elements()).toEqual([]);
  expect(heights()).toBe(CHART_PX);
  await rerender(chart(10, [factAt(3)]));
  await expect.element(lane).toBeVisible();
  expect(heights()).toBe(CHART_PX);
});
