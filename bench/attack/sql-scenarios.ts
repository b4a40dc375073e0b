import { ADDRESSES } from './scenarios/addresses.ts';
import { LIMITS } from './scenarios/limits.ts';
import { ORDERS } from './scenarios/orders.ts';
import { PAYMENTS } from './scenarios/payments.ts';
import { PEOPLE } from './scenarios/people.ts';
import type { Scenario } from './scenarios/pieces.ts';

/** Every one of them is refused. */
export const SCENARIOS: readonly Scenario[] = [...LIMITS, ...ADDRESSES, ...ORDERS, ...PAYMENTS, ...PEOPLE];
