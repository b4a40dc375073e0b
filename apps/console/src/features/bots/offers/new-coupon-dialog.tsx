import { call } from '../../../lib/api/api.ts';
import { formatUsdt } from '../../../lib/format/payout-texts.ts';
import { AskDialog } from '../../../ui/form/ask-dialog.tsx';
import { CheckField } from '../../../ui/form/check-field.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useAct } from '../../../ui/form/use-act.ts';
import { botKeys, type Plan } from '../bot-queries.ts';
import { reducedPrice } from '../bot-texts.ts';
import { couponBody, couponErrors, discountOf, EMPTY_COUPON } from './coupon-form.ts';
import { useOfferForm } from './use-offer-form.ts';

interface NewCouponDialogProps {
  botId: string;
  plans: readonly Plan[];
  onClose(): void;
}

/** Adds a coupon, and shows what it makes of the prices. */
export function NewCouponDialog({ botId, plans, onClose }: NewCouponDialogProps) {
  const { form, setForm, field, checked } = useOfferForm(EMPTY_COUPON, couponErrors);
  const add = useAct({
    send: () =>
      call('POST /api/exchange-bot/{id}/coupons', { params: { id: botId }, body: couponBody(form) }),
    done: ({ data }) => ({ title: 'Coupon added', text: data.code }),
    reads: botKeys.all,
    onDone: onClose,
  });
  return (
    <AskDialog
      title="New coupon"
      text="Its terms cannot be changed later: delete it and add another one."
      confirm="Add coupon"
      busy="Adding..."
      isBusy={add.isBusy}
      error={add.error}
      onConfirm={checked(add.onConfirm)}
      onClose={onClose}
    >
      <div className="space-y-3.5">
        <TextField label="Code" {...field('code')} isMono maxLength={32} autoFocus placeholder="SPRING-26" />
        <div className="grid gap-3.5 sm:grid-cols-2">
          <SelectField
            label="Discount"
            value={form.kind}
            options={[
              { value: 'percent', label: 'Percentage' },
              { value: 'amount', label: 'Amount' },
            ]}
            onChange={({ target }) => setForm({ ...form, kind: target.value as typeof form.kind })}
          />
          <TextField
            label={form.kind === 'percent' ? 'Percent off' : 'USDT off'}
            {...field('discount')}
            inputMode="decimal"
          />
        </div>
        <div className="grid gap-3.5 sm:grid-cols-2">
          <TextField label="First day (UTC)" {...field('from')} type="date" />
          <TextField label="Last day (UTC)" {...field('to')} type="date" />
          <TextField label="Total uses" {...field('maxUses')} inputMode="numeric" placeholder="Unlimited" />
          <TextField
            label="Uses per person"
            {...field('maxUsesPerUser')}
            inputMode="numeric"
            placeholder="Unlimited"
          />
        </div>
        {plans.length > 0 && (
          <fieldset>
            <legend className="font-medium">Plans</legend>
            <p className="text-xs text-muted">None selected: every plan, including later ones</p>
            <div className="mt-1 grid gap-1">
              {plans.map((plan) => (
                <CheckField
                  key={plan.id}
                  label={<PlanLabel plan={plan} discount={discountOf(form)} />}
                  checked={form.planIds.includes(plan.id)}
                  onChange={({ target }) =>
                    setForm({
                      ...form,
                      planIds: target.checked
                        ? [...form.planIds, plan.id]
                        : form.planIds.filter((each) => each !== plan.id),
                    })
                  }
                />
              ))}
            </div>
          </fieldset>
        )}
      </div>
    </AskDialog>
  );
}

function PlanLabel({ plan, discount }: { plan: Plan; discount: ReturnType<typeof discountOf> }) {
  const reduced = discount && reducedPrice(plan, discount);
  return (
    <span>
      {plan.name}{' '}
      <span className="text-xs text-muted tabular-nums">
        {formatUsdt(plan.amount)} USDT
        {discount && (
          <>
            {' → '}
            {reduced ? (
              <span className="text-ink">{formatUsdt(reduced)} USDT</span>
            ) : (
              <span className="text-caution">not usable: nothing would be left to pay</span>
            )}
          </>
        )}
      </span>
    </span>
  );
}
