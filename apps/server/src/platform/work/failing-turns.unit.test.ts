import { expect, test } from 'vitest';
import { logFailingTurns } from './failing-turns.ts';

function watchedLoop() {
  let at = 0;
  const lines: [fields: object, text: string][] = [];
  const log = { warn: (fields: object, text: string) => void lines.push([fields, text]) };
  const turns = logFailingTurns(log as never, () => at);
  return {
    lines,
    texts: () => lines.map(([, text]) => text),
    failEverySecond(seconds: number, error: (second: number) => Error) {
      for (let second = 0; second < seconds; second++) {
        turns.failed(error(second));
        at += 1_000;
      }
    },
    succeed: turns.succeeded,
  };
}

test('the same reason is logged once in full, then counted every minute, then its end', () => {
  const { failEverySecond, succeed, lines } = watchedLoop();
  const away = (id: number) =>
    Object.assign(new Error(`HTTP request failed. Request body: {"id":${id}}`), {
      shortMessage: 'HTTP request failed.',
    });
  failEverySecond(130, away);
  succeed();
  succeed();
  expect(lines).toEqual([
    [{ err: away(0) }, 'a turn of work failed'],
    [{ reason: 'HTTP request failed.', failures: 61, seconds: 60 }, 'turns of work still fail'],
    [{ reason: 'HTTP request failed.', failures: 121, seconds: 120 }, 'turns of work still fail'],
    [{ failures: 130, seconds: 130 }, 'turns of work succeed again'],
  ]);
});

test('another reason is logged at once, and a single failure has no end to tell', () => {
  const { failEverySecond, succeed, texts } = watchedLoop();
  failEverySecond(2, (second) => new Error(`reason ${second}`));
  succeed();
  expect(texts()).toEqual(['a turn of work failed', 'a turn of work failed']);
});
