import { expect, test } from 'vitest';
import { formatComment, formatSql } from './format-catalogue.ts';

test('a policy loses the noise of the catalogue, and keeps its clauses on lines of their own', () => {
  const printed = `CREATE POLICY payout_scope ON payout FOR ALL
  USING (( SELECT app.sees_all() AS sees_all) OR (EXISTS ( SELECT
   FROM payable p
  WHERE p.payout_id = payout.id AND p.recipient_type = 'tip'::text)))
  WITH CHECK (( SELECT app.sees_all() AS sees_all));`;
  expect(formatSql(printed, '')).toBe(
    `CREATE POLICY payout_scope ON payout FOR ALL
  USING ((SELECT app.sees_all()) OR (EXISTS (SELECT FROM payable p
    WHERE p.payout_id = payout.id AND p.recipient_type = 'tip')))
  WITH CHECK ((SELECT app.sees_all()));`,
  );
});

test('a long statement continues at a clause, then at an operator, then after a comma', () => {
  const column = (length: number) => 'c'.repeat(length);
  const index = `CREATE INDEX i ON t USING btree (${column(70)}) INCLUDE (${column(60)}, ${column(60)})`;
  expect(formatSql(`${index} WHERE a AND b`, '').split('\n')).toEqual([
    `CREATE INDEX i ON t (${column(70)})`,
    `  INCLUDE (${column(60)},`,
    `  ${column(60)}) WHERE a AND b`,
  ]);
  expect(formatSql(`CONSTRAINT k ${column(60)} AND ${column(60)}`, '  ').split('\n')).toEqual([
    `  CONSTRAINT k ${column(60)}`,
    `    AND ${column(60)}`,
  ]);
});

test('a comment is wrapped at spaces', () => {
  const lines = formatComment('reads '.repeat(40).trim(), '  ').trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/^ {2}-- (reads ?)+$/);
  for (const line of lines) expect(line.length).toBeLessThan(119);
});
