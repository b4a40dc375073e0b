const LINE_WIDTH = 117;

/** Additions of the catalogue's printing that a reader does not need, and what remains of them. */
const NOISE: readonly [RegExp, string][] = [
  [/\s*\n\s*/g, ' '],
  [/('[^']*')::text\b/g, '$1'],
  [/ USING btree /g, ' '],
  [/\( SELECT (app\.\w+\(\)) AS \w+\)/g, '(SELECT $1)'],
  [/\( (SELECT FROM|CASE) /g, '($1 '],
];

/** Where a long statement continues on the next line: at a clause, else at an operator, else after a comma. */
const BREAKS = [
  /(?<! WITH) (?=(?:INCLUDE|REFERENCING|REFERENCES|FOR EACH|EXECUTE|WHERE|CHECK|UNIQUE|GENERATED|WHEN|ELSE|ON) )/g,
  / (?=(?:AND|OR) )/g,
  /(?<=,) /g,
];

/** A part of the schema as the catalogue prints it, in lines that people can read. */
export function formatSql(text: string, indent: string): string {
  return text
    .split(/\n(?= {2}USING| {2}WITH CHECK|ALTER)/)
    .flatMap((statement) => {
      const plain = NOISE.reduce((clean, [noise, remainder]) => clean.replace(noise, remainder), statement);
      return wrap(`${indent}${plain}`, `${indent}${plain.startsWith(' ') ? '    ' : '  '}`);
    })
    .join('\n');
}

function wrap(line: string, indent: string): string[] {
  if (line.length <= LINE_WIDTH) return [line];
  for (const place of BREAKS) {
    const fits = ({ index }: RegExpExecArray) => index > indent.length && index <= LINE_WIDTH;
    const at = [...line.matchAll(place)].filter(fits).at(-1)?.index;
    if (at !== undefined) return [line.slice(0, at), ...wrap(`${indent}${line.slice(at + 1)}`, indent)];
  }
  return [line];
}

/** A comment of the database as lines of an SQL comment. */
export function formatComment(comment: string, indent: string): string {
  const lines: string[] = [];
  for (const word of comment.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE_WIDTH) lines.push(`${lines.pop()} ${word}`);
    else lines.push(`${indent}-- ${word}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}
