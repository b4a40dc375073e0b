import { guardFormula } from '@copydesk/domain/text';

/** `Node.ELEMENT_NODE`. */
const ELEMENT = 1;
const TABLES = 'table, [role="table"], [role="grid"]';

/**
 * Copied cells are pasted into spreadsheets, where texts of other people must not run as formulas. A part of
 * one cell, and text outside of tables, is copied as it is.
 */
export function guardCopiedTables(page: Document): void {
  page.addEventListener('copy', (event) => {
    const selection = page.getSelection();
    const text = selection?.toString() ?? '';
    if (!selection || selection.rangeCount === 0 || !/[\t\n]/.test(text) || !isOfTable(selection)) return;
    // As text alone: the cells of the markup would be formulas again.
    event.clipboardData?.setData('text/plain', guardFormula(text));
    event.preventDefault();
  });
}

function isOfTable(selection: Selection): boolean {
  const { commonAncestorContainer: node } = selection.getRangeAt(0);
  const element = node.nodeType === ELEMENT ? (node as Element) : node.parentElement;
  return element !== null && (element.closest(TABLES) ?? element.querySelector(TABLES)) !== null;
}
