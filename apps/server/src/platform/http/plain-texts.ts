import { findTextTrap } from '@copydesk/domain/text';
import { Refusal } from '../refusal.ts';

/**
 * Refuses texts for traders that contain an address, a hash, a link, a domain or a Telegram name: one person
 * could redirect money with them. Payment addresses come from our own sentences only.
 * @param texts by the name of the field
 * @throws Refusal `text_refused`, with the first field that is refused
 */
export function requirePlainTexts(texts: Readonly<Record<string, string | null | undefined>>): void {
  for (const [path, text] of Object.entries(texts)) {
    const trap = text ? findTextTrap(text) : null;
    if (trap === null) continue;
    const message =
      trap === 'address'
        ? 'Traders read this text: it may not contain an address or a hash'
        : 'Traders read this text: it may not contain a link, a domain or an @name. After a full stop, write a space';
    throw new Refusal('text_refused', { message: `${path}: ${message}`, details: [{ path, message }] });
  }
}
