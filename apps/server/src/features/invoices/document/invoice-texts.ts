import type { Language } from '@copydesk/domain/catalogue';
import type { PoolFeeBasis } from '@copydesk/domain/pools';

export type InvoiceState = 'open' | 'part_paid' | 'overdue' | 'paid' | 'cancelled' | 'recalled';
/** A number of things, by the plural forms that the language has. */
type Counted = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/**
 * The words of an invoice on paper, those of the messages to traders where they say the same. `{name}` is a value.
 * What traders call by its English name (long, short) has no other.
 */
interface InvoiceTexts {
  invoice: string;
  issued_to: string;
  reference: string;
  telegram: string;
  issued: string;
  due: string;
  paid_at: string;
  state: string;
  states: Record<InvoiceState, string>;
  to_pay: string;
  network: string;
  address: string;
  of_pool: string;
  basis: string;
  /** The rule of each kind of invoice in one sentence. `{positions}` is `counted_positions`. */
  rule_positions: string;
  counted_positions: Counted;
  rule_cycle: Record<PoolFeeBasis, string>;
  rule_order: string;
  counted_days: Counted;
  profit: string;
  commission: string;
  result: string;
  winners: string;
  carried_before: string;
  carried_after: string;
  charged_profit: string;
  price: string;
  discount: string;
  deducted: string;
  other: string;
  amount: string;
  /** The amount in whole millionths, where it has smaller parts. */
  asked: string;
  balance: string;
  received: string;
  off_platform: string;
  still_due: string;
  payments: string;
  received_at: string;
  transaction: string;
  deductions: string;
  earlier_invoice: string;
  positions: string;
  account: string;
  symbol: string;
  side: string;
  opened: string;
  closed: string;
  entry: string;
  exit: string;
  before_fees: string;
  more_positions: string;
  footer: string;
  page: string;
}

export const INVOICE_TEXTS: Record<Language, InvoiceTexts> = {
  en: {
    invoice: 'Invoice',
    issued_to: 'Issued to',
    reference: 'Reference number',
    telegram: 'Telegram',
    issued: 'Issued',
    due: 'Due date',
    paid_at: 'Paid on',
    state: 'Status',
    states: {
      open: 'Open',
      part_paid: 'Paid in part',
      overdue: 'Overdue',
      paid: 'Paid',
      cancelled: 'Cancelled',
      recalled: 'Taken back: please do not pay it',
    },
    to_pay: 'To pay',
    network: 'Network',
    address: 'Deposit address',
    of_pool: 'The pool pays this invoice out of your balance. Please send nothing.',
    basis: 'What the amount is made from',
    rule_positions: '{rate} of the profit of {profit} of {positions}; losing positions are not counted.',
    counted_positions: { one: '{count} closed position', other: '{count} closed positions' },
    rule_cycle: {
      net_carry:
        '{rate} of your result of {profit} in harvest cycle {cycle}, after losses of earlier cycles were made up.',
      gross_winners:
        '{rate} of your part of {profit} in the profit of winning positions of harvest cycle {cycle}.',
    },
    rule_order: 'A plan of the trading bot for {days}.',
    counted_days: { one: '{count} day', other: '{count} days' },
    profit: 'Profit',
    commission: 'Commission',
    result: 'Your part of the result',
    winners: 'Your part of the profit of winning positions',
    carried_before: 'Losses of earlier cycles to make up',
    carried_after: 'Losses left for later cycles',
    charged_profit: 'What the commission is on',
    price: 'Price',
    discount: 'Discount',
    deducted: 'Deducted, because an earlier invoice charged too much',
    other: 'Other',
    amount: 'Amount of the invoice',
    asked: 'Amount to send (whole millionths)',
    balance: 'What is open',
    received: 'Received on chain',
    off_platform: 'Settled off-platform',
    still_due: 'Still due',
    payments: 'Payments',
    received_at: 'Received',
    transaction: 'Transaction',
    deductions: 'Deductions',
    earlier_invoice: 'Earlier invoice',
    positions: 'Closed positions',
    account: 'Account',
    symbol: 'Symbol',
    side: 'Side',
    opened: 'Opened',
    closed: 'Closed',
    entry: 'Entry',
    exit: 'Exit',
    before_fees: '* Before trading fees: the exchange does not say what they were.',
    more_positions: 'Positions that are not shown here: {count}.',
    footer: 'Invoice {id}, as of {at}',
    page: 'Page {page} of {pages}',
  },
  es: {
    invoice: 'Factura',
    issued_to: 'Emitida a',
    reference: 'Número de referencia',
    telegram: 'Telegram',
    issued: 'Fecha de emisión',
    due: 'Fecha de vencimiento',
    paid_at: 'Fecha de pago',
    state: 'Estado',
    states: {
      open: 'Pendiente',
      part_paid: 'Pagada en parte',
      overdue: 'Vencida',
      paid: 'Pagada',
      cancelled: 'Cancelada',
      recalled: 'Retirada: por favor, no la pague',
    },
    to_pay: 'Para pagar',
    network: 'Red',
    address: 'Dirección de depósito',
    of_pool: 'El fondo común paga esta factura con su saldo. Por favor, no envíe nada.',
    basis: 'Cómo se calcula el importe',
    rule_positions:
      '{rate} de la ganancia de {profit} de {positions}; las posiciones con pérdidas no se cuentan.',
    counted_positions: { one: '{count} posición cerrada', other: '{count} posiciones cerradas' },
    rule_cycle: {
      net_carry:
        '{rate} de su resultado de {profit} en el ciclo de cosecha {cycle}, una vez compensadas las pérdidas de ciclos anteriores.',
      gross_winners:
        '{rate} de su parte de {profit} en la ganancia de las posiciones ganadoras del ciclo de cosecha {cycle}.',
    },
    rule_order: 'Un plan del bot de trading para {days}.',
    counted_days: { one: '{count} día', other: '{count} días' },
    profit: 'Ganancia',
    commission: 'Comisión',
    result: 'Su parte del resultado',
    winners: 'Su parte de la ganancia de las posiciones ganadoras',
    carried_before: 'Pérdidas de ciclos anteriores por compensar',
    carried_after: 'Pérdidas que pasan a ciclos posteriores',
    charged_profit: 'Base de la comisión',
    price: 'Precio',
    discount: 'Descuento',
    deducted: 'Descontado, porque una factura anterior cobró de más',
    other: 'Otros',
    amount: 'Importe de la factura',
    asked: 'Importe que debe enviar (millonésimas enteras)',
    balance: 'Lo que queda pendiente',
    received: 'Recibido en la cadena de bloques',
    off_platform: 'Liquidado fuera de la plataforma',
    still_due: 'Pendiente',
    payments: 'Pagos',
    received_at: 'Recibido',
    transaction: 'Transacción',
    deductions: 'Descuentos por facturas anteriores',
    earlier_invoice: 'Factura anterior',
    positions: 'Posiciones cerradas',
    account: 'Cuenta',
    symbol: 'Símbolo',
    side: 'Lado',
    opened: 'Apertura',
    closed: 'Cierre',
    entry: 'Entrada',
    exit: 'Salida',
    before_fees: '* Antes de las comisiones de trading: el exchange no indica cuáles fueron.',
    more_positions: 'Posiciones que no se muestran aquí: {count}.',
    footer: 'Factura {id}, datos a fecha de {at}',
    page: 'Página {page} de {pages}',
  },
  ar: {
    invoice: 'فاتورة',
    issued_to: 'صادرة إلى',
    reference: 'الرقم المرجعي',
    telegram: 'تيليجرام',
    issued: 'تاريخ الإصدار',
    due: 'تاريخ الاستحقاق',
    paid_at: 'تاريخ السداد',
    state: 'الحالة',
    states: {
      open: 'غير مدفوعة',
      part_paid: 'مدفوعة جزئيًا',
      overdue: 'انقضى موعد استحقاقها',
      paid: 'مدفوعة',
      cancelled: 'ملغاة',
      recalled: 'سُحبت: يُرجى عدم دفعها',
    },
    to_pay: 'المبلغ المطلوب دفعه',
    network: 'الشبكة',
    address: 'عنوان الإيداع',
    of_pool: 'تُسدد المحفظة المشتركة هذه الفاتورة من رصيدك. يُرجى عدم إرسال أي مبلغ.',
    basis: 'كيف حُسب المبلغ',
    rule_positions: '{rate} من ربح قدره {profit} من {positions}؛ لا تُحتسب الصفقات الخاسرة.',
    counted_positions: {
      zero: '{count} صفقة مغلقة',
      one: 'صفقة مغلقة واحدة',
      two: 'صفقتين مغلقتين',
      few: '{count} صفقات مغلقة',
      many: '{count} صفقة مغلقة',
      other: '{count} صفقة مغلقة',
    },
    rule_cycle: {
      net_carry: '{rate} من نتيجتك البالغة {profit} في دورة التسوية {cycle} بعد تعويض خسائر الدورات السابقة.',
      gross_winners: '{rate} من حصتك البالغة {profit} من ربح الصفقات الرابحة في دورة التسوية {cycle}.',
    },
    rule_order: 'خطة بوت التداول لمدة {days}.',
    counted_days: {
      zero: '{count} يوم',
      one: 'يوم واحد',
      two: 'يومين',
      few: '{count} أيام',
      many: '{count} يومًا',
      other: '{count} يوم',
    },
    profit: 'الربح',
    commission: 'العمولة',
    result: 'حصتك من النتيجة',
    winners: 'حصتك من ربح الصفقات الرابحة',
    carried_before: 'خسائر دورات سابقة يجب تعويضها',
    carried_after: 'خسائر مرحّلة إلى دورات لاحقة',
    charged_profit: 'المبلغ الذي تُحسب عليه العمولة',
    price: 'السعر',
    discount: 'الخصم',
    deducted: 'خُصم لأن فاتورة سابقة كانت أعلى من المستحق',
    other: 'أخرى',
    amount: 'مبلغ الفاتورة',
    asked: 'المبلغ المطلوب إرساله (بأجزاء كاملة من المليون)',
    balance: 'المبلغ غير المسدد',
    received: 'المبلغ المستلم عبر البلوكتشين',
    off_platform: 'المبلغ المسدد خارج المنصة',
    still_due: 'المبلغ المتبقي',
    payments: 'المدفوعات',
    received_at: 'تاريخ الاستلام',
    transaction: 'المعاملة',
    deductions: 'الخصومات',
    earlier_invoice: 'الفاتورة السابقة',
    positions: 'الصفقات المغلقة',
    account: 'الحساب',
    symbol: 'الرمز',
    side: 'الاتجاه',
    opened: 'الفتح',
    closed: 'الإغلاق',
    entry: 'الدخول',
    exit: 'الخروج',
    before_fees: '* قبل رسوم التداول: لا تذكر المنصة مقدارها.',
    more_positions: 'عدد الصفقات غير المعروضة هنا: {count}.',
    footer: 'فاتورة {id}، حسب البيانات في {at}',
    page: 'صفحة {page} من {pages}',
  },
  pl: {
    invoice: 'Faktura',
    issued_to: 'Wystawiona dla',
    reference: 'Numer referencyjny',
    telegram: 'Telegram',
    issued: 'Data wystawienia',
    due: 'Termin płatności',
    paid_at: 'Data zapłaty',
    state: 'Status',
    states: {
      open: 'Nieopłacona',
      part_paid: 'Opłacona częściowo',
      overdue: 'Po terminie płatności',
      paid: 'Opłacona',
      cancelled: 'Anulowana',
      recalled: 'Wycofana: prosimy jej nie opłacać',
    },
    to_pay: 'Do zapłaty',
    network: 'Sieć',
    address: 'Adres wpłaty',
    of_pool: 'Tę fakturę opłaca wspólna pula z Twojego salda. Prosimy niczego nie wysyłać.',
    basis: 'Z czego wynika kwota',
    rule_positions: '{rate} zysku w wysokości {profit} z {positions}; pozycji stratnych nie liczymy.',
    counted_positions: { one: '{count} zamkniętej pozycji', other: '{count} zamkniętych pozycji' },
    rule_cycle: {
      net_carry:
        '{rate} Twojego wyniku {profit} w cyklu rozliczeniowym {cycle}, po odrobieniu strat z wcześniejszych cykli.',
      gross_winners:
        '{rate} Twojego udziału {profit} w zysku z zyskownych pozycji cyklu rozliczeniowego {cycle}.',
    },
    rule_order: 'Plan bota tradingowego na {days}.',
    counted_days: { one: '{count} dzień', other: '{count} dni' },
    profit: 'Zysk',
    commission: 'Prowizja',
    result: 'Twój udział w wyniku',
    winners: 'Twój udział w zysku z zyskownych pozycji',
    carried_before: 'Straty z wcześniejszych cykli do odrobienia',
    carried_after: 'Straty przeniesione na późniejsze cykle',
    charged_profit: 'Podstawa prowizji',
    price: 'Cena',
    discount: 'Rabat',
    deducted: 'Odliczono, ponieważ wcześniejsza faktura była za wysoka',
    other: 'Inne',
    amount: 'Kwota faktury',
    asked: 'Kwota do wysłania (w pełnych milionowych częściach)',
    balance: 'Pozostało do zapłaty',
    received: 'Otrzymano w sieci blockchain',
    off_platform: 'Rozliczono poza platformą',
    still_due: 'Pozostało',
    payments: 'Płatności',
    received_at: 'Otrzymano',
    transaction: 'Transakcja',
    deductions: 'Odliczenia',
    earlier_invoice: 'Wcześniejsza faktura',
    positions: 'Zamknięte pozycje',
    account: 'Konto',
    symbol: 'Symbol',
    side: 'Strona',
    opened: 'Otwarcie',
    closed: 'Zamknięcie',
    entry: 'Wejście',
    exit: 'Wyjście',
    before_fees: '* Przed opłatami transakcyjnymi: giełda nie podaje ich wysokości.',
    more_positions: 'Liczba pozycji, których tu nie pokazano: {count}.',
    footer: 'Faktura {id}, stan na {at}',
    page: 'Strona {page} z {pages}',
  },
  ru: {
    invoice: 'Счёт',
    issued_to: 'Выставлен',
    reference: 'Номер',
    telegram: 'Telegram',
    issued: 'Дата выставления',
    due: 'Срок оплаты',
    paid_at: 'Дата оплаты',
    state: 'Статус',
    states: {
      open: 'Не оплачен',
      part_paid: 'Оплачен частично',
      overdue: 'Срок оплаты истёк',
      paid: 'Оплачен',
      cancelled: 'Отменён',
      recalled: 'Отозван: пожалуйста, не оплачивайте его',
    },
    to_pay: 'К оплате',
    network: 'Сеть',
    address: 'Адрес для депозита',
    of_pool: 'Этот счёт оплачивает общий пул из вашего баланса. Пожалуйста, ничего не отправляйте.',
    basis: 'Из чего складывается сумма',
    rule_positions: '{rate} от прибыли {profit} по {positions}; убыточные позиции не учитываются.',
    counted_positions: { one: '{count} закрытой позиции', other: '{count} закрытым позициям' },
    rule_cycle: {
      net_carry:
        '{rate} от вашего результата {profit} в расчётном цикле {cycle} после возмещения убытков прошлых циклов.',
      gross_winners: '{rate} от вашей доли {profit} в прибыли прибыльных позиций расчётного цикла {cycle}.',
    },
    rule_order: 'Тариф торгового бота на {days}.',
    counted_days: { one: '{count} день', few: '{count} дня', other: '{count} дней' },
    profit: 'Прибыль',
    commission: 'Комиссия',
    result: 'Ваша доля результата',
    winners: 'Ваша доля прибыли прибыльных позиций',
    carried_before: 'Убытки прошлых циклов к возмещению',
    carried_after: 'Убытки, перенесённые на следующие циклы',
    charged_profit: 'С чего берётся комиссия',
    price: 'Цена',
    discount: 'Скидка',
    deducted: 'Вычтено, так как предыдущий счёт был завышен',
    other: 'Прочее',
    amount: 'Сумма счёта',
    asked: 'Сумма к отправке (целые миллионные доли)',
    balance: 'Осталось оплатить',
    received: 'Получено в блокчейне',
    off_platform: 'Урегулировано вне платформы',
    still_due: 'Осталось',
    payments: 'Платежи',
    received_at: 'Получено',
    transaction: 'Транзакция',
    deductions: 'Вычеты',
    earlier_invoice: 'Предыдущий счёт',
    positions: 'Закрытые позиции',
    account: 'Аккаунт',
    symbol: 'Символ',
    side: 'Сторона',
    opened: 'Открыта',
    closed: 'Закрыта',
    entry: 'Вход',
    exit: 'Выход',
    before_fees: '* До вычета торговых сборов: биржа не сообщает их размер.',
    more_positions: 'Позиций, которые здесь не показаны: {count}.',
    footer: 'Счёт {id}, по состоянию на {at}',
    page: 'Страница {page} из {pages}',
  },
};

/** Puts values into a text. What a value looks like does not matter: each is put in once. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** A number of things in the language's own form. */
export const counted = (language: Language, forms: Counted, count: number): string =>
  fill(forms[new Intl.PluralRules(language).select(count)] ?? forms.other, { count: String(count) });
