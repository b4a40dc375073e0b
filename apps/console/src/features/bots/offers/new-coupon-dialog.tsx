import { call } from '../../../lib/api/api.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { CheckList } from '../../../ui/form/check-list.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useDialogForm } from '../../../ui/form/use-dialog-form.ts';
import { botKeys, type Plan } from '../bot-queries.ts';
import { reducedPrice } from '../bot-texts.ts';
import { couponBody, couponErrors, discountOf, EMPTY_COUPON } from './coupon-form.ts';

interface NewCouponDialogProps {
  botId: string;
  plans: readonly Plan[];
  onClose(): void;
}

/** Adds a coupon, and shows what it makes of the prices. */
export function NewCouponDialog({ botId, plans, onClose }: NewCouponDialogProps) {
  const form = useDialogForm({
    values: EMPTY_COUPON,
    findErrors: couponErrors,
    send: (values) =>
      call('POST /api/exchange-bot/{id}/coupons', { params: { id: botId }, body: couponBody(values) }),
    done: ({ data }) => ({ title: 'Coupon added', text: data.code }),
    reads: botKeys.all,
    onDone: onClose,
  });
  const { kind } = form.values;
  const discount = discountOf(form.values);
  return (
    <FormDialog
      form={form}
      title="New coupon"
      text="Its terms cannot be changed later: delete it and add another one."
      confirm="Add coupon"
      busy="Adding..."
      onClose={onClose}
    >
      <TextField label="Code" name="code" isMono maxLength={32} autoFocus placeholder="SPRING-26" />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <SelectField
          label="Discount"
          name="kind"
          options={[
            { value: 'percent', label: 'Percentage' },
            { value: 'amount', label: 'Amount' },
          ]}
        />
        <TextField
          label={kind === 'percent' ? 'Percent off' : 'USDT off'}
          name="discount"
          inputMode="decimal"
        />
      </div>
      <div className="grid gap-3.5 sm:grid-cols-2">
        <TextField label="First day (UTC)" name="from" type="date" />
        <TextField label="Last day (UTC)" name="to" type="date" />
        <TextField label="Total uses" name="maxUses" inputMode="numeric" placeholder="Unlimited" />
        <TextField
          label="Uses per person"
          name="maxUsesPerUser"
          inputMode="numeric"
          placeholder="Unlimited"
        />
      </div>
      {plans.length > 0 && (
        <CheckList
          legend="Plans"
          name="planIds"
          options={plans.map((plan) => ({
            value: plan.id,
            label: <PlanLabel plan={plan} discount={discount} />,
          }))}
          hint="None selected: every plan, including later ones"
        />
      )}
    </FormDialog>
  );
}

function PlanLabel({ plan, discount }: { plan: Plan; discount: ReturnType<typeof discountOf> }) {
  const reduced = discount && reducedPrice(plan, discount);
  return (
    <span>
      {plan.name}{' '}
      <span className="text-xs text-muted tabular-nums">
        <Money amount={plan.amount} />
        {discount && (
          <>
            {' → '}
            {reduced ? (
              <Money amount={reduced} className="text-ink" />
            ) : (
              <span className="text-caution">not usable: nothing would be left to pay</span>
            )}
          </>
        )}
      </span>
    </span>
  );
}
