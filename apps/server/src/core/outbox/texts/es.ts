export const es = {
  greeting: 'Hola, {{name}}:',
  greeting_nameless: 'Hola:',
  invoice_created: 'Se ha emitido una nueva factura a su nombre por {{- amount}}.',
  invoice_due_soon: 'Le recordamos que su factura de {{- amount}} vence pronto.',
  invoice_overdue: 'Su factura de {{- amount}} está vencida.',
  invoice_paid: 'Su factura de {{- amount}} está pagada. ¡Gracias!',
  invoice_recalled: 'Su factura por {{- amount}} ha sido retirada. Por favor, no la pague.',
  recalled_due_later: 'Su contenido puede aparecer en una factura posterior.',
  recalled_payment: 'Si ya la ha pagado, su pago queda como saldo a su favor y paga su próxima factura.',
  unpaid_invoices_one: 'Tiene {{count}} factura pendiente de pago.',
  unpaid_invoices_many: 'Tiene {{count}} facturas pendientes de pago.',
  unpaid_invoices_other: 'Tiene {{count}} facturas pendientes de pago.',
  total_due: 'Importe total pendiente: {{- outstanding}}.',
  partly_paid: 'Recibido hasta ahora: {{- paid}}. Pendiente: {{- outstanding}}.',
  paid_on_chain: 'Recibido en la cadena de bloques: {{- paid}}.',
  off_platform: 'Liquidado fuera de la plataforma: {{- settled}}.',
  deducted: 'Ya descontado, porque una factura anterior cobró de más: {{- deducted}}.',
  credit:
    'El excedente de {{- credit}} queda como saldo a favor y se aplica automáticamente a la próxima factura.',
  due: 'Fecha de vencimiento: {{- due}}.',
  earliest_due: 'Primera fecha de vencimiento: {{- due}}.',
  pay_to: 'Para pagar, envíe {{- outstanding}} por {{- network}} a esta dirección:',
  only_so: 'Envíe solo USDT y solo por esta red: no podemos acreditar otras transferencias.',
  wallet_changed:
    'Se ha cambiado la cartera guardada para sus pagos. Ahora empieza por {{- begin}} y termina en {{- end}}.',
  wallet_question: 'La cartera guardada para sus pagos se ha cambiado por esta dirección:',
  wallet_question_from:
    'No se paga nada a ella antes de que se confirme, ni antes del {{- from}}. Compare todos los caracteres. ¿Es su cartera?',
  button_wallet_confirmed: 'Confirmar',
  button_wallet_not_me: 'No he sido yo',
  wallet_confirmed:
    'Confirmado. Los pagos van a su cartera, que empieza por {{- begin}} y termina en {{- end}}, como muy pronto el {{- from}}.',
  wallet_disowned:
    'Anotado. No se paga nada a la cartera que empieza por {{- begin}} y termina en {{- end}} hasta que decida un administrador.',
  wallet_no_effect:
    'Su respuesta no tiene efecto. La cartera se ha vuelto a cambiar o ya se ha decidido sobre ella, o su cuenta de Telegram se guardó hace menos de 30 días.',
  withdrawal_ordered:
    'Se ha ordenado un retiro de {{- amount}} de su fondo común. Va a su cartera, que empieza por {{- begin}} y termina en {{- end}}.',
  withdrawal_ordered_everything:
    'Se ha ordenado el retiro de todo lo que tiene en su fondo común. Va a su cartera, que empieza por {{- begin}} y termina en {{- end}}.',
  withdrawal_needs_address:
    'Su retiro del fondo común no se puede pagar porque no hay guardada ninguna dirección de pago para usted. Indique a su comunidad su propia dirección para USDT en {{- network}}. El retiro espera hasta entonces.',
  withdrawal_refused:
    'Se ha rechazado su retiro de {{- amount}} del fondo común: es más de lo que tiene en él. Había disponibles {{- available}}. Pida esa cantidad o menos, o todo.',
  withdrawal_refused_nothing:
    'Se ha rechazado su retiro del fondo común: no había nada disponible para retirar.',
  not_you: 'Si no lo ha pedido usted, avise de inmediato a su comunidad, en un chat que ya conozca.',
  withdraw_funds: 'Ha comenzado una cosecha del fondo común de {{community}}.',
  withdraw_reminder: 'Le recordamos que el fondo común de {{community}} espera su retiro.',
  withdrawal_cancelled:
    'Se ha cancelado la cosecha del fondo común de {{community}}. No es necesario retirar nada.',
  withdraw_to:
    'Retire todos los USDT de su cuenta de Bybit, unos {{- amount}}, por {{- network}} a esta dirección:',
  withdraw_all: 'Retire todo el saldo, solo USDT y solo por esta red.',
  withdraw_report: 'Cuando haya retirado todo, avise aquí:',
  owner_page_title: 'Retiro del fondo común de {{- community}}',
  owner_page_report: 'He retirado todo',
  owner_page_reported: 'Gracias. Estamos comprobando la cuenta de Bybit.',
  owner_page_over: 'En este momento no es necesario retirar nada de este fondo común.',
  trial_ending:
    'El período de prueba de la suscripción de {{community}} termina el {{- day}}. Después pasa a ser una suscripción de pago.',
  payment_failed:
    'El pago de la suscripción de {{community}} ha fallado. Todo sigue disponible hasta el {{- day}}. Por favor, revise el método de pago.',
  grace_ending:
    'La suscripción de {{community}} sigue sin pagarse. Después del {{- day}} ya no se podrá activar su bot de intercambio.',
  subscription_ended:
    'La suscripción de {{community}} ha terminado: {{- day}}. Los traders, las facturas y los pagos no se ven afectados.',
  payment_link:
    'La suscripción de {{community}} todavía no está pagada. Usted elige un plan y paga en la página de Stripe, que recibe nuestros pagos:',
  payment_link_unpaid:
    'El último pago de la suscripción de {{community}} ha fallado. Puede pagarlo en la página de Stripe, que recibe nuestros pagos:',
  owner_payment_open: 'Abrir la página de pago',
  owner_payment_title: 'Suscripción de {{- community}}',
  owner_payment_plan: 'Elija un plan. El pago se hace en la página de Stripe; antes no se paga nada.',
  owner_payment_monthly: 'Mensual: {{- price}}',
  owner_payment_yearly: 'Anual: {{- price}}',
  owner_payment_unpaid: 'El último pago ha fallado. Puede hacerlo en la página de Stripe.',
  owner_payment_pay: 'Continuar con el pago',
  owner_payment_awaited: 'Estamos confirmando su pago. Tarda unos segundos.',
  owner_payment_failed: 'En este momento no es posible. Inténtelo de nuevo dentro de unos minutos.',
  owner_payment_paid: 'La suscripción está pagada. Gracias.',
  owner_payment_over: 'En este momento no hay nada que pagar aquí.',
  key_failing:
    'El exchange rechaza la clave API de su cuenta en {{- exchanges}}. Hasta que se reemplace, la cuenta no se lee y sus cifras no cambian.',
  key_ending:
    'La clave API de su cuenta en {{- exchanges}} caduca el {{- end}}. A partir de entonces la cuenta no se lee y sus cifras no cambian hasta que se reemplace la clave.',
  key_replace:
    'Cree una clave nueva que solo permita leer y entréguela como lo hizo antes. No envíe nunca una clave en este chat.',
};
