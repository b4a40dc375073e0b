import { cleanPasted } from '@copydesk/domain/text';
import type { ClipboardEvent } from 'react';

/**
 * Pastes a text without the spaces and invisible marks around it, and all of it: the browser would cut a field with a
 * maximum length first, and so take the last digits of an address that begins with a space. Text that is too long stays
 * whole and is refused when it is sent.
 */
export function pasteClean(event: ClipboardEvent<HTMLInputElement>): void {
  const input = event.currentTarget;
  // A space may belong to a password; fields of e-mail addresses have no selection, and the server cleans these.
  if (input.type === 'password' || input.selectionStart === null) return;
  const pasted = event.clipboardData.getData('text/plain').replace(/[\r\n]+/g, ' ');
  const text = cleanPasted(pasted);
  const [from, to] = [input.selectionStart, input.selectionEnd ?? input.selectionStart];
  const isFitting = input.maxLength < 0 || input.value.length - (to - from) + text.length <= input.maxLength;
  if (text === pasted && isFitting) return;
  event.preventDefault();
  // Browsers that know the command keep undo (Ctrl+Z), and apply the maximum length.
  if (isFitting && document.execCommand?.('insertText', false, text)) return;
  input.setRangeText(text, from, to, 'end');
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste', data: text }));
}
