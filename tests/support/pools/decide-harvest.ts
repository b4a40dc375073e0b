import {
  decideHarvest,
  HARVEST_STATES,
  type HarvestEventKind,
  type HarvestFacts,
  type HarvestRole,
  type HarvestState,
} from '@copydesk/domain/pools';
import { EMPTY_EXCHANGE, HEALTHY_FACTS } from './healthy-facts.ts';

/** As the tests write a state. */
export const nameOf = (state: HarvestState) =>
  state.status === 'failed' ? `failed ${state.failedFrom} ${state.step}` : `${state.status} ${state.step}`;
export const stateOf = (name: string): HarvestState => {
  const state = HARVEST_STATES.find((one) => nameOf(one) === name);
  if (!state) throw new Error(`no state ${name}`);
  return state;
};

/** What the table decides where all facts are as they should be, but for those that are given. */
export const decide = (
  name: string,
  kind: HarvestEventKind,
  role: HarvestRole,
  facts: Partial<HarvestFacts> = {},
) => decideHarvest(stateOf(name), { kind, role }, { ...HEALTHY_FACTS, ...facts });

export const PAUSING = 'starting_harvesting pausing';
export const CHECKING = 'starting_harvesting checking';
export const AWAITING = 'awaiting_bybit_withdrawal withdrawing';
export const VALUING = 'processing_invoices valuing';
export const OPENING = 'processing_invoices opening';
export const CREDITING = 'stopping_harvesting crediting';

/** A fresh read of the exchange that found this. */
export const read = (changed: Partial<typeof EMPTY_EXCHANGE>) => ({
  exchange: { ...EMPTY_EXCHANGE, ...changed },
});
export const positions = read({ openPositions: 1 });
