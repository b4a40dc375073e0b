import { z } from 'zod';
import { splitList } from '../split-list.ts';
import { API, BOTH, type Variables, WORKER } from '../variable.ts';

/** A name, and a value in which other characters are escaped as in an address. */
const HEADER = /^[\w-]+=([\w.~+/=:;@ -]|%[0-7][0-9a-fA-F])+$/;

/** What monitoring reads. */
export const MONITORING_VARIABLES = {
  METRICS_PORT: {
    schema: z.coerce.number().int().min(1).max(65_535).optional(),
    readers: API,
    meaning:
      'Port of the Prometheus metrics of the API (`/metrics`, beside `/health` and `/ready`). Unset: none',
  },
  WORKER_METRICS_PORT: {
    schema: z.coerce.number().int().min(1).max(65_535).optional(),
    readers: WORKER,
    meaning: 'The same of the worker: both may run on one machine with one environment',
  },
  METRICS_TOKEN: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 visible characters')
      .optional(),
    readers: API,
    meaning:
      'With it as `Authorization: Bearer`, monitoring on another machine reads the details of `/api/ready`. Unset: super admins and this machine alone do',
  },
  METRICS_HOST: {
    schema: z.string().default('127.0.0.1'),
    readers: BOTH,
    meaning: 'Address on which both listen. They ask for no password: keep it in a private network',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    readers: BOTH,
    meaning: 'Receiver of traces over OTLP and HTTP, as in `http://127.0.0.1:4318`. Unset: none are recorded',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z
      .string()
      .default('')
      .transform(splitList)
      .refine((pairs) => pairs.every((pair) => HEADER.test(pair)), 'must be name=value, separated by commas'),
    readers: BOTH,
    meaning: 'Headers for it, as in `authorization=Bearer%20key`, separated by commas',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce.number().min(0).max(1).default(1),
    readers: BOTH,
    meaning: 'Part of the traces that is recorded, 0 to 1',
  },
} satisfies Variables;
