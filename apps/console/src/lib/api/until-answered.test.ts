import { expect, test } from 'vitest';
import { ApiError, timeoutError } from './api-error.ts';
import { untilAnswered } from './until-answered.ts';

const inFlight = new ApiError({ code: 'idempotency_in_flight', status: 409, message: '' });
const refused = new ApiError({ code: 'recipients_changed', status: 409, message: 'changed' });

/** A server with prepared answers, on a clock that only waiting moves. */
function serverSaying(...answers: (string | ApiError)[]) {
  const clock = { ms: 0, late: 0, sent: 0 };
  const result = untilAnswered(
    async () => {
      const answer = answers[Math.min(clock.sent, answers.length - 1)];
      clock.sent += 1;
      if (answer === undefined || answer instanceof ApiError) throw answer;
      return answer;
    },
    {
      onLate: () => {
        clock.late += 1;
      },
      now: () => clock.ms,
      sleep: async (ms) => {
        clock.ms += ms;
      },
    },
  );
  return { clock, result };
}

test('an answer that comes in time is the answer', async () => {
  const { clock, result } = serverSaying('paid');
  expect(await result).toBe('paid');
  expect(clock).toMatchObject({ late: 0, sent: 1 });
});

test('a late answer is polled until it arrives, and is not an error', async () => {
  const { clock, result } = serverSaying(timeoutError(), inFlight, inFlight, 'paid');
  expect(await result).toBe('paid');
  expect(clock).toMatchObject({ sent: 4, ms: 6_000 });
  expect(clock.late).toBeGreaterThan(0);
});

test('a late refusal is a refusal', async () => {
  await expect(serverSaying(timeoutError(), inFlight, refused).result).rejects.toBe(refused);
});

test('after minutes it says that it does not know', async () => {
  await expect(serverSaying(inFlight).result).rejects.toMatchObject({ code: 'no_answer_yet' });
});
