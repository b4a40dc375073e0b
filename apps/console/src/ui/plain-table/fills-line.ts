/**
 * Whether a field of a card has a line of its own: it asks for one, or the next field does and none is beside it. Half a
 * line would leave its value in the middle of the card.
 */
export function fillsLine(fields: readonly { column: { onCard?: string } }[], index: number): boolean {
  const isLine = (at: number) => fields[at]?.column.onCard === 'line';
  if (isLine(index)) return true;
  let before = 0;
  while (before < index && !isLine(index - 1 - before)) before++;
  const isSecond = before % 2 === 1;
  return !isSecond && (index === fields.length - 1 || isLine(index + 1));
}
