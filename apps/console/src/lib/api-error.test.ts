import { expect, test } from 'vitest';
import { errorFromResponse, errorText } from './api-error.ts';

test.each([
  [{ error: 'not_found', message: 'No such trader' }, undefined, 'No such trader'],
  [{ error: 'Trader is locked', message: 'ignored' }, undefined, 'Trader is locked'],
  [{ error: 'bad_gateway' }, undefined, 'bad_gateway'],
  [{ message: 'Only this' }, undefined, 'Only this'],
  [null, new Error('It broke'), 'It broke'],
  [{ error: '', message: ' ' }, undefined, 'Unknown error'],
  ['<html>', undefined, 'Unknown error'],
])('the text of %j with exception %s is "%s"', (body, exception, expected) => {
  expect(errorText(body, exception)).toBe(expected);
});

test('an error answer keeps code, status, details and request id', async () => {
  const body = {
    success: false,
    error: 'validation_failed',
    message: 'Invalid input',
    details: [{ path: 'name', message: 'Required' }],
  };
  const error = await errorFromResponse(
    Response.json(body, { status: 400, headers: { 'x-request-id': 'r-1' } }),
  );
  expect(error).toMatchObject({
    code: 'validation_failed',
    status: 400,
    message: 'Invalid input',
    requestId: 'r-1',
  });
  expect(error.details).toEqual([{ path: 'name', message: 'Required' }]);
});

test('an answer that is no JSON says its status', async () => {
  const error = await errorFromResponse(new Response('<html>Bad gateway</html>', { status: 502 }));
  expect(error).toMatchObject({
    code: 'http_502',
    status: 502,
    message: 'The server answered with status 502',
  });
});
