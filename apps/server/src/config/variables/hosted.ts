import { z } from 'zod';
import { splitList } from '../split-list.ts';
import { BOTH, type Variables } from '../variable.ts';

/** Hosted sign-in. */
export const HOSTED_VARIABLES = {
  CLERK_PUBLISHABLE_KEY: {
    schema: z
      .string()
      .regex(/^pk_(test|live)_[A-Za-z0-9+/=]+$/, 'must be a publishable key of Clerk')
      .optional(),
    readers: BOTH,
    meaning:
      'With the other variables of Clerk (`docs/hosted-sign-in.md`), people sign in there. Unset: with passwords of ours',
  },
  CLERK_JWT_KEY: {
    schema: z
      .string()
      .transform((text) => text.replaceAll('\\n', '\n').trim())
      .refine((text) => /^-----BEGIN PUBLIC KEY-----[\s\S]+-----END PUBLIC KEY-----$/.test(text), {
        message: 'must be a public key in PEM',
      })
      .optional(),
    readers: BOTH,
    meaning: 'PEM public key of its tokens, from the same page; line breaks may be written as `\\n`',
  },
  CLERK_ISSUER: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    readers: BOTH,
    meaning: 'Address of its frontend API, as in `https://clerk.example.com`: the `iss` of its tokens',
  },
  CLERK_SECRET_KEY: {
    schema: z
      .string()
      .regex(/^sk_[\x21-\x7e]{8,}$/, 'must be a secret key of Clerk')
      .optional(),
    readers: BOTH,
    meaning: 'Secret key of the instance, `sk_...`, from the API keys of its dashboard',
  },
  CLERK_WEBHOOK_SECRET: {
    schema: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, 'must be a signing secret of Clerk')
      .optional(),
    readers: BOTH,
    meaning: 'Signing secret of its webhooks, `whsec_...`',
  },
  CLERK_PROXY_URL: {
    schema: z
      .string()
      .regex(/^(https?:\/\/[^\s/]+)?\/[\w./-]*$|^https?:\/\/[^\s/]+$/, 'must be an address or a path')
      .optional(),
    readers: BOTH,
    meaning:
      'Address or path below which a proxy of yours serves its frontend API. Unset: browsers call it directly',
  },
  CLERK_API_URL: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    readers: BOTH,
    meaning: 'Another address of its Backend API, for tests',
  },
  CLERK_AUTHORIZED_PARTIES: {
    schema: z
      .string()
      .transform(splitList)
      .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1))
      .optional(),
    readers: BOTH,
    meaning: 'Origins whose tokens count, separated by commas. Unset: the origin of `PUBLIC_URL`',
  },
} satisfies Variables;
