import type { z } from 'zod';

/** The programs that a variable is for. `npm start` is all of them, and sets up the demo world. */
export type Program = 'API' | 'worker' | 'migration';

export interface Variable<S extends z.ZodType = z.ZodType> {
  /** Checks the text of the environment; its default applies when the variable is unset. */
  schema: S;
  readers: readonly Program[];
  /** For operators: a line of docs/operations/configuration.md. */
  meaning: string;
  /** What applies when it is unset, where the schema's default does not say it. */
  unset?: string;
  /** A secret that an API refuses to start with: an intruder who takes over the API would have it. */
  isWithheldFromApi?: true;
  /** The same for a worker that runs. */
  isWithheldFromWorker?: true;
}

export type Variables = Record<string, Variable>;

export const API = ['API'] as const;
export const WORKER = ['worker'] as const;
export const BOTH = ['API', 'worker'] as const;
export const MIGRATION = ['migration'] as const;
export const ALL = ['API', 'worker', 'migration'] as const;
/** `npm start` alone. */
export const NONE = [] as const;
