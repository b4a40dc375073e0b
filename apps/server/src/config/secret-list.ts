import { z } from 'zod';
import { splitList } from './split-list.ts';

/** Secrets separated by commas, each of them long enough to be one. */
export const secretList = (minLength: number) =>
  z
    .string()
    .default('')
    .transform(splitList)
    .pipe(z.array(z.string().min(minLength)));
