import type { CallInput } from '@copydesk/contract';
import type { FieldErrors } from '../../../ui/form/form-context.ts';
import { endOfDay, startOfDay, typedCount, typedUsdt } from './offer-fields.ts';

/** The form of a new coupon, as typed. */
export interface CouponForm {
  code: string;
  kind: 'percent' | 'amount';
  discount: string;
  /** Days of UTC as date fields have them; both count. */
  from: string;
  to: string;
  maxUses: string;
  maxUsesPerUser: string;
  planIds: readonly string[];
}

export const EMPTY_COUPON: CouponForm = {
  code: '',
  kind: 'percent',
  discount: '',
  from: '',
  to: '',
  maxUses: '',
  maxUsesPerUser: '',
  planIds: [],
};

const MOST_USES = 1_000_000;
const MOST_PERCENT = 99;

/** The discount as typed; null while it is none. */
export function discountOf({ kind, discount }: CouponForm) {
  if (kind === 'percent') {
    const percent = typedCount(discount, 1, MOST_PERCENT);
    return percent === null ? null : { percent, amount: null };
  }
  const amount = typedUsdt(discount);
  return amount === null ? null : { percent: null, amount };
}

export function couponErrors(form: CouponForm): FieldErrors {
  const errors: Record<string, string> = {};
  if (!/^[\w-]{3,32}$/.test(form.code.trim())) errors.code = 'Use 3 to 32 letters, digits, - or _';
  if (!discountOf(form))
    errors.discount =
      form.kind === 'percent' ? 'Enter a whole number from 1 to 99' : 'Enter an amount above 0';
  if (form.from && form.to && form.to < form.from) errors.to = 'It ends before it starts';
  for (const name of ['maxUses', 'maxUsesPerUser'] as const)
    if (form[name].trim() && typedCount(form[name], 1, MOST_USES) === null)
      errors[name] = 'Enter a whole number, or leave it empty';
  return errors;
}

/** What is sent, of a form without errors. */
export function couponBody(form: CouponForm): CallInput<'POST /api/exchange-bot/{id}/coupons'>['body'] {
  const limit = (typed: string) => (typed.trim() ? Number(typed) : null);
  return {
    code: form.code,
    ...discountOf(form),
    starts_at: startOfDay(form.from),
    ends_at: endOfDay(form.to),
    max_uses: limit(form.maxUses),
    max_uses_per_user: limit(form.maxUsesPerUser),
    plan_ids: [...form.planIds],
  };
}
