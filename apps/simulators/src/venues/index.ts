export { createFaults, type Fault, type FaultKind, type Faults } from './faults/faults.ts';
export type { LoggedRequest, RequestLog } from './http/request-log.ts';
export type { RateLimits } from './limits/rate-limiter.ts';
export { type RunningVenue, startVenue, type VenueOptions } from './start-venue.ts';
