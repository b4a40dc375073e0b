import type { CuttableProxy } from '../../../tests/support/cuttable-proxy.ts';

/** The proxies between the programs and their servers. */
export interface Proxies {
  database: CuttableProxy;
  chain: CuttableProxy;
  mail: CuttableProxy;
  /** Whether the database takes writes; its connections end, as after a failover. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
}

export interface ConnectionFault {
  name: string;
  begin(proxies: Proxies): unknown;
  /** A connection that went silent stays silent. */
  end(proxies: Proxies): unknown;
  /** How often it is drawn, beside the others. */
  weight: number;
}

/** Late answers that no client gives up on. */
const DELAY_MS = 700;

const mended = (pick: keyof Omit<Proxies, 'setReadOnly'>) => (proxies: Proxies) => proxies[pick].mend();

const faultsOf = (pick: keyof Omit<Proxies, 'setReadOnly'>, weight: number): ConnectionFault[] => [
  {
    name: `${pick}: open connections go silent`,
    begin: (proxies) => proxies[pick].silence(),
    end: mended(pick),
    weight,
  },
  {
    name: `${pick}: open connections go silent, new ones hear nothing`,
    begin(proxies) {
      proxies[pick].mute();
      proxies[pick].silence();
    },
    // Connections that were opened meanwhile stay silent.
    end: mended(pick),
    weight,
  },
  {
    name: `${pick}: connections are reset`,
    begin: (proxies) => proxies[pick].reset(),
    end: () => {},
    weight,
  },
  {
    name: `${pick}: connections are refused`,
    begin: (proxies) => proxies[pick].cut(),
    end: mended(pick),
    weight,
  },
  {
    name: `${pick}: answers are late`,
    begin: (proxies) => proxies[pick].delay(DELAY_MS),
    end: mended(pick),
    weight,
  },
];

export const CONNECTION_FAULTS: readonly ConnectionFault[] = [
  ...faultsOf('database', 3),
  {
    name: 'database: the connection that hears of changes goes silent',
    begin: ({ database }) => database.silence('copydesk-events'),
    end: () => {},
    weight: 3,
  },
  {
    name: 'database: the connections of the worker go silent',
    begin: ({ database }) => database.silence('copydesk-worker'),
    end: () => {},
    weight: 3,
  },
  {
    name: 'database: no leader',
    begin: ({ setReadOnly }) => setReadOnly(true),
    end: ({ setReadOnly }) => setReadOnly(false),
    weight: 3,
  },
  ...faultsOf('chain', 1),
  ...faultsOf('mail', 1),
];
