import type { HarvestStatus } from '../../catalogue.ts';
import type { HarvestStep } from './harvest-states.ts';

/** What people see of a harvest, in its order: each stage has one or more steps. */
export const HARVEST_STAGES = ['pause', 'check', 'withdraw', 'value', 'open', 'fund', 'resume'] as const;
export type HarvestStage = (typeof HARVEST_STAGES)[number];

/** Null: between two harvests. */
const STAGE_OF: Readonly<Record<HarvestStep, HarvestStage | null>> = {
  trading: null,
  pausing: 'pause',
  checking: 'check',
  withdrawing: 'withdraw',
  valuing: 'value',
  opening: 'open',
  open: 'open',
  closing: 'open',
  planning: 'fund',
  sending: 'fund',
  crediting: 'fund',
  moving: 'fund',
  resuming: 'resume',
};

/** The facts of a cycle, as lists have them. Times are ISO 8601. */
interface StageFacts {
  status: HarvestStatus;
  /** A failed cycle keeps the one that failed. */
  step: HarvestStep;
  since: string;
  step_since: string;
  /** A harvest was called off, and no report has come since that trading goes on. */
  is_resume_awaited: boolean;
}

/** The stage that a cycle is in; null: it trades, and no harvest has begun. */
export function stageOf({
  status,
  step,
  is_resume_awaited,
}: Pick<StageFacts, 'status' | 'step' | 'is_resume_awaited'>): HarvestStage | null {
  return status === 'stopped' && is_resume_awaited ? 'resume' : STAGE_OF[step];
}

/** A step that a cycle entered, or failed in. */
export interface StepEntry {
  at: string;
  step: HarvestStep;
}

export interface StageProgress {
  stage: HarvestStage;
  /** `skipped`: the harvest went past it, as past the withdrawal where nothing was to be withdrawn. */
  state: 'done' | 'skipped' | 'running' | 'failed' | 'ahead';
  /** Of a running or failed one: when it began. */
  since: string | null;
  /** How long a finished one lasted, in ms; null: not known, or not finished. */
  lastedMs: number | null;
}

/**
 * How far the present harvest of a pool has come, stage by stage.
 * @param entries the steps that the cycle entered, oldest first; the first ones may be missing
 */
export function stagesOf(cycle: StageFacts, entries: readonly StepEntry[]): StageProgress[] {
  const present = stageOf(cycle);
  const harvest = present === null ? [] : presentHarvest(cycle.status, entries);
  const isWhole = harvest[0]?.step === 'pausing';
  const at = present === null ? -1 : HARVEST_STAGES.indexOf(present);
  return HARVEST_STAGES.map((stage, index): StageProgress => {
    const isHere = index === at;
    const lastedMs = index < at ? lastedOf(stage, harvest, cycle) : null;
    if (isHere)
      return {
        stage,
        state: cycle.status === 'failed' ? 'failed' : 'running',
        since: sinceOf(stage, harvest) ?? (cycle.status === 'stopped' ? cycle.since : cycle.step_since),
        lastedMs,
      };
    const passed = isWhole && lastedMs === null ? 'skipped' : 'done';
    return { stage, state: index < at ? passed : 'ahead', since: null, lastedMs };
  });
}

/** A harvest that was called off begins again in its cycle: the entries after it, or those of one that was just called off. */
function presentHarvest(status: HarvestStatus, entries: readonly StepEntry[]): readonly StepEntry[] {
  const end = status === 'stopped' ? entries.findLastIndex(isTrading) : entries.length;
  const own = entries.slice(0, Math.max(end, 0));
  return own.slice(own.findLastIndex(isTrading) + 1);
}

const isTrading = ({ step }: StepEntry) => step === 'trading';

/** The time between entering a stage and entering the next; null: it was not entered. */
function lastedOf(stage: HarvestStage, harvest: readonly StepEntry[], cycle: StageFacts): number | null {
  const spans = harvest.flatMap(({ at, step }, index) => {
    const until = harvest[index + 1]?.at ?? (cycle.status === 'stopped' ? cycle.since : cycle.step_since);
    return STAGE_OF[step] === stage ? [Date.parse(until) - Date.parse(at)] : [];
  });
  return spans.length === 0 ? null : spans.reduce((sum, span) => sum + span, 0);
}

const sinceOf = (stage: HarvestStage, harvest: readonly StepEntry[]): string | null =>
  harvest.find(({ step }) => STAGE_OF[step] === stage)?.at ?? null;
