import { expect, test } from 'vitest';
import { createOutage, isDatabaseGone, markDatabaseError, type WriteLine } from './outage.ts';

function begin() {
  let at = 0;
  const lines: string[] = [];
  const outage = createOutage(() => at);
  const write: WriteLine = (level, fields, text) => {
    const { failures, seconds } = fields as { failures?: number; seconds?: number };
    lines.push(
      failures === undefined ? `${level}: ${text}` : `${level}: ${text} (${failures} in ${seconds} s)`,
    );
  };
  return {
    lines,
    ...outage,
    fail(times: number, everyMs = 500) {
      for (let n = 0; n < times; n++) {
        outage.failed(write, {}, 'a turn of work failed');
        at += everyMs;
      }
    },
    wait: (ms: number) => {
      at += ms;
    },
  };
}

test('of an outage the log has its first failure, a count every minute, and its end', () => {
  const { lines, fail, connected } = begin();
  fail(300);
  connected();
  connected();
  expect(lines).toEqual([
    'warn: no connection to the database',
    'error: still no connection to the database (121 in 60 s)',
    'error: still no connection to the database (241 in 120 s)',
    'warn: connections to the database work again (300 in 150 s)',
  ]);
});

test('connections that come and go do not bring a pair of lines each time', () => {
  const { lines, fail, connected } = begin();
  for (let n = 0; n < 60; n++) {
    fail(2);
    connected();
  }
  expect(lines).toEqual([
    'warn: no connection to the database',
    'warn: connections to the database work again (2 in 1 s)',
  ]);
  fail(1);
  expect(lines.at(-1)).toBe('warn: no connection to the database');
});

test('a connection at hand ends an outage only some time after the last failure', () => {
  const { lines, fail, atHand, wait } = begin();
  fail(1);
  atHand();
  expect(lines).toHaveLength(1);
  wait(5_000);
  atHand();
  expect(lines.at(-1)).toMatch(/work again/);
});

const failing = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

test.each([
  failing('08P01'),
  failing('53100'),
  failing('53300'),
  failing('57P03'),
  failing('57P05'),
  failing('25006'),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
  new Error('timeout expired'),
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET'].map(
    (code) => markDatabaseError(failing(code)),
  ),
])('an outage: %s', (error) => {
  expect(isDatabaseGone(error)).toBe(true);
});

test.each([
  failing('57014'),
  failing('23505'),
  failing('40001'),
  failing('ECONNREFUSED'),
  markDatabaseError(failing('28P01')),
  markDatabaseError(failing('ERR_TLS_CERT_ALTNAME_INVALID')),
  new Error('Something else'),
])('no outage: %s', (error) => {
  expect(isDatabaseGone(error)).toBe(false);
});
