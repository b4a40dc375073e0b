/** Tags of parse_mode HTML (core.telegram.org/bots/api#html-style), including those that we do not use. */
const TAGS = new Set(
  'b strong i em u ins s strike del code pre a span tg-spoiler tg-emoji blockquote'.split(' '),
);
const NAMED = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
]);

export type Parsed = { text: string } | { problem: string };

/** Reads a text with markup like the Bot API: the visible text, or the error in it. */
export function parseHtml(html: string): Parsed {
  const open: string[] = [];
  let text = '';
  let rest = html;
  const at = () => Buffer.byteLength(html.slice(0, html.length - rest.length));
  while (rest !== '') {
    const plain = /^[^<&]+/.exec(rest)?.[0];
    if (plain !== undefined) {
      text += plain;
      rest = rest.slice(plain.length);
    } else if (rest.startsWith('&')) {
      const entity = readEntity(rest);
      text += entity.shown;
      rest = rest.slice(entity.length);
    } else {
      const tag = /^<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[\w.-]+))?)*)\s*>/.exec(
        rest,
      );
      const name = tag?.[2]?.toLowerCase();
      if (!tag || name === undefined || !TAGS.has(name))
        return { problem: `Unsupported start tag "${name ?? ''}" at byte offset ${at()}` };
      if (tag[1] === '') open.push(name);
      else {
        const last = open.pop();
        if (last === undefined) return { problem: `Unexpected end tag at byte offset ${at()}` };
        if (last !== name)
          return {
            problem: `Unmatched end tag at byte offset ${at()}, expected "</${last}>", found "</${name}>"`,
          };
      }
      rest = rest.slice(tag[0].length);
    }
  }
  const unclosed = open.pop();
  return unclosed === undefined
    ? { text }
    : { problem: `Can't find end tag corresponding to start tag "${unclosed}"` };
}

/** The four entities of the Bot API, and numbers; anything else is an ampersand. */
function readEntity(rest: string): { shown: string; length: number } {
  const [whole, number, hex, name] = /^&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot));?/i.exec(rest) ?? [];
  const point = number !== undefined ? Number(number) : Number.parseInt(hex ?? '', 16);
  if (whole !== undefined && name !== undefined)
    return { shown: NAMED.get(name.toLowerCase()) ?? '&', length: whole.length };
  if (whole !== undefined && point > 0 && point <= 0x10ffff)
    return { shown: String.fromCodePoint(point), length: whole.length };
  return { shown: '&', length: 1 };
}
