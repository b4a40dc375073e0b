import { GatewayError, type VenueSettings } from './gateway.ts';
import type { Clock } from './limits/clock.ts';

/** The regional platforms of a venue: accounts of their own behind the same calls. */
export interface VenueRegions {
  /** Their hosts by the name that is stored with an account. A key is sent to these and to the main host only. */
  hosts: Readonly<Record<string, string>>;
  /** The main platform's codes for a key that it does not know. */
  unknownKey: ReadonlySet<string>;
}

/** An operator waits: a region that does not answer within this time is left out. */
const PATIENCE_MS = 3_000;

/**
 * The host of a region, from the fixed list only: a name from a database leads to no other host.
 * @throws GatewayError unsupported for a name that is not in the list
 */
export function findRegion(
  regions: VenueRegions | undefined,
  region: string,
): { name: string; host: string } {
  const host = regions && Object.hasOwn(regions.hosts, region) ? regions.hosts[region] : undefined;
  if (host === undefined) throw new GatewayError('unsupported');
  return { name: region, host };
}

/** The settings of a venue for one of its regions. */
export function settingsOfRegion(
  settings: VenueSettings,
  { name, host }: { name: string; host: string },
): VenueSettings {
  return { ...settings, baseUrl: settings.regionUrls?.[name] ?? settings.baseUrl ?? `https://${host}` };
}

/**
 * Asks about a key at the venue's main platform and, when that does not know it, at all regional ones at once. Without any
 * that knows it, the refusal of the main one is thrown, unless a region refuses the key for another reason than not
 * knowing it, such as its list of addresses.
 */
export async function homeOfKey<T>(
  regions: VenueRegions | undefined,
  { settings, clock }: { settings: VenueSettings; clock: Clock },
  askAt: (region: string | null) => Promise<T>,
): Promise<T> {
  try {
    return await askAt(null);
  } catch (error) {
    const isForeign = error instanceof GatewayError && regions?.unknownKey.has(error.venueCode ?? '');
    if (!regions || !isForeign) throw error;
    const tried = settings.baseUrl === undefined ? regions.hosts : (settings.regionUrls ?? {});
    const names = Object.keys(regions.hosts).filter((name) => Object.hasOwn(tried, name));
    return await firstThatKnows(names, { clock, askAt, otherwise: error });
  }
}

function firstThatKnows<T>(
  names: readonly string[],
  {
    clock,
    askAt,
    otherwise,
  }: { clock: Clock; askAt: (region: string) => Promise<T>; otherwise: GatewayError },
): Promise<T> {
  return new Promise((resolve, reject) => {
    let refusal = otherwise;
    let left = names.length;
    const callOff = clock.after(PATIENCE_MS, () => reject(refusal));
    const end = (conclude: () => void) => {
      callOff();
      conclude();
    };
    if (left === 0) end(() => reject(refusal));
    for (const name of names)
      askAt(name).then(
        (answer) => end(() => resolve(answer)),
        (error: unknown) => {
          // A region that is down, or does not know the key either, gives no reason for a refusal.
          const says = error instanceof GatewayError && !error.isRetryable;
          if (says && error.code !== 'invalid_credentials') refusal = error;
          left -= 1;
          if (left === 0) end(() => reject(refusal));
        },
      );
  });
}
