import { Counter, type Registry } from 'prom-client';
import type { SecurityLog } from './security-log.ts';

/** Counts refused attempts by kind. */
export function measureRefusals(securityLog: SecurityLog, registry: Registry): void {
  new Counter({
    name: 'copydesk_refused_attempts_total',
    help: 'Refused attempts by kind: access, authentication, reauthentication, four_eyes, rate',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of securityLog.counts()) this.inc({ kind }, count);
    },
  });
}
