import type { AttentionItem } from '@copydesk/contract/attention';
import { expect, test } from 'vitest';
import { escapeHtml } from '../../../core/outbox/texts/markup.ts';
import { inChat, outOfChat, renderDigest, renderNews } from './attention-mail.texts.ts';

const at = new Date('2026-11-20T07:30:00Z');
const origin = 'https://desk.example';
const itemOf = (title: string) =>
  ({
    kind: 'distribution_waiting',
    title,
    amount: '5',
    count: null,
    since: '2026-11-20T07:00:00Z',
    taken: null,
  }) as unknown as AttentionItem;
const itemsOf = (title: string, count: number) => Array.from({ length: count }, () => itemOf(title));
const groups = { approvals: 40, pools: 3 };

test.each([
  ['short', 'Alpha'],
  ['long', 'Alpha '.repeat(80)],
  ['of marks', '<&>"'.repeat(60)],
  ['of emoji', '\u{1f9d1}\u200d\u{1f680}'.repeat(100)],
  ['that is longer than a message', 'Alpha '.repeat(2_000)],
])('a message fits with names that are %s, and counts what it leaves out', (_, title) => {
  const of = { items: itemsOf(title, 40), total: 50, origin, at };
  const written = [
    renderNews({ ...of, by: 'telegram' as const }),
    renderDigest({ ...of, by: 'telegram' as const, groups }),
  ];
  for (const one of written) {
    const text = inChat(one);
    expect(escapeHtml(text).length).toBeLessThanOrEqual(4_096);
    const shown = text.split('\n').filter((line) => line.startsWith('- Distribution')).length;
    expect(shown).toBeLessThanOrEqual(15);
    expect(text).toContain(`- and ${50 - shown} more`);
    expect(text).toContain(`${origin}/preferences`);
  }
  // A mail has room for all of them.
  expect(renderNews({ ...of, by: 'mail' }).text.match(/^- Distribution/gm)).toHaveLength(15);
});

test.each(['@mallory', 'Pool /stop', '#offer', 'buy $SCAM', 'evil.example/win', 'me@evil.example'])(
  'a name that Telegram would make pressable is left out: %s',
  (title) => {
    const of = { items: itemsOf(title, 1), total: 1, origin, at };
    expect(renderNews({ ...of, by: 'telegram' }).text).toContain('- Distribution to approve (5 USDT)');
  },
);

test.each(['A/B Fund', 'Alpha & Omega', '50 % more', 'No. #', '1 < 2'])(
  'another name is shown as it is: %s',
  (title) => {
    const of = { items: itemsOf(title, 1), total: 1, origin, at };
    expect(renderNews({ ...of, by: 'telegram' }).text).toContain(
      `- Distribution to approve: ${title} (5 USDT)`,
    );
  },
);

test('a name stays on its line, whatever is in it', () => {
  const of = { items: itemsOf('Alpha\n\n- Frozen\u202e wallet', 1), total: 1, origin, at };
  expect(renderNews({ ...of, by: 'telegram' }).text).toContain('approve: Alpha - Frozen wallet (5 USDT)');
});

test('what a chat did not take is the same as a mail', () => {
  const digest = renderDigest({ by: 'telegram', items: itemsOf('Alpha', 3), total: 3, groups, origin, at });
  expect(outOfChat(inChat(digest))).toEqual(digest);
});
