import { z } from 'zod';

/** Secrets separated by commas, each of them long enough to be one. */
export const secretList = (minLength: number) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((secret) => secret !== ''))
    .pipe(z.array(z.string().min(minLength)));
