import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../errors.ts';
import {
  isRecordedRefusal,
  NOTED_ACTS,
  REFUSAL_KINDS,
  refusalText,
  SIGN_IN_REFUSALS,
  UNRECORDED_REFUSALS,
} from './security-log.ts';

const REFUSING = new Set<number>([401, 403, 429]);

test('every error that refuses a caller is recorded, or named as one that is not', () => {
  const refusing = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => REFUSING.has(ERRORS[code].status));
  expect(refusing.length).toBeGreaterThan(30);
  const unrecorded = refusing.filter((code) => !isRecordedRefusal(code));
  expect(unrecorded.sort()).toEqual([...UNRECORDED_REFUSALS].sort());
});

test('every recorded code is an error that refuses a caller, and has a text', () => {
  const withoutError = { ...SIGN_IN_REFUSALS, ...NOTED_ACTS };
  const codes = Object.keys(REFUSAL_KINDS).filter((code) => !(code in withoutError));
  expect(codes.filter((code) => !REFUSING.has(ERRORS[code as ErrorCode].status))).toEqual([]);
  expect(Object.keys(REFUSAL_KINDS).filter((code) => refusalText(code) === code)).toEqual([]);
  expect(Object.keys(withoutError).filter((code) => !isRecordedRefusal(code))).toEqual([]);
});

test('names of the prototype are no codes', () => {
  expect(isRecordedRefusal('constructor')).toBe(false);
  expect(refusalText('toString')).toBe('toString');
});
