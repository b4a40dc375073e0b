/**
 * The console's number formats (console spec, section 9). Presentation only: money is never computed here, so a wire
 * number or decimal string becomes a JavaScript number only in the last step.
 */
/** A loss that rounds to zero is written `$0.00`. */
const WITHOUT_MINUS_ZERO = 'negative';
const wholeUsd = onFirstUse(
  () =>
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: 'USD',
      maximumFractionDigits: 0,
      signDisplay: WITHOUT_MINUS_ZERO,
    }),
);
const usd = onFirstUse(
  () =>
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: 'USD',
      signDisplay: WITHOUT_MINUS_ZERO,
    }),
);
const count = onFirstUse(() => new Intl.NumberFormat('en-US'));
const shortDate = onFirstUse(
  () => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }),
);

const MISSING = 'N/A';

/** AUM and invoice list amounts: USD without decimals. */
export function formatWholeUsd(amount: number | string | null | undefined): string {
  return amount === null || amount === undefined ? MISSING : wholeUsd().format(Number(amount));
}

/** Money elsewhere: USD with 2 decimals. */
export function formatUsd(amount: number | string | null | undefined): string {
  return amount === null || amount === undefined ? MISSING : usd().format(Number(amount));
}

export function formatCount(n: number): string {
  return count().format(n);
}

/** Dates in en-US short form, UTC. @param iso ISO 8601 */
export function formatDate(iso: string | null | undefined): string {
  return iso ? shortDate().format(new Date(iso)) : MISSING;
}

/** Long ids and addresses: the first 6 and the last 4 characters, from a length of 10 (super-admin spec, section 9). */
export function shortId(id: string): string {
  return id.length < 10 ? id : `${id.slice(0, 6)}…${id.slice(-4)}`;
}

/** A transaction hash: its first 8 characters (console spec, section 9). */
export function shortHash(hash: string): string {
  return hash.slice(0, 8);
}

/** A formatter loads megabytes of locale data, which a process without output does not need. */
function onFirstUse<T>(create: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= create();
    return made;
  };
}
