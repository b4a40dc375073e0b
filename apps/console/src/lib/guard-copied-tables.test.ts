import { expect, test } from 'vitest';
import { guardCopiedTables } from './guard-copied-tables.ts';

/** What the clipboard gets when this text is copied; undefined: what the browser puts there. */
function copied(text: string, { isTable = true } = {}): string | undefined {
  const found = isTable ? {} : null;
  const cell = { nodeType: 1, closest: () => found, querySelector: () => null };
  const range = { commonAncestorContainer: { nodeType: 3, parentElement: cell } };
  const page = Object.assign(new EventTarget(), {
    getSelection: () => ({ toString: () => text, rangeCount: 1, getRangeAt: () => range }),
  });
  guardCopiedTables(page as unknown as Document);
  let clipboard: string | undefined;
  const setData = (_type: string, value: string) => {
    clipboard = value;
  };
  const event = Object.assign(new Event('copy', { cancelable: true }), { clipboardData: { setData } });
  page.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(clipboard !== undefined);
  return clipboard;
}

test('cells that begin a formula are text in a spreadsheet, and numbers stay numbers', () => {
  expect(copied('Ada\t=HYPERLINK("x")\t-12.5\n@bob\t+1+1\t3')).toBe(
    `Ada\t'=HYPERLINK("x")\t-12.5\n'@bob\t'+1+1\t3`,
  );
});

test('a part of one cell, and text outside of tables, is copied as it is', () => {
  expect(copied('@bob')).toBeUndefined();
  expect(copied('=1\n=2', { isTable: false })).toBeUndefined();
});
