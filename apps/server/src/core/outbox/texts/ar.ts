export const ar = {
  greeting: 'مرحبًا {{name}}،',
  greeting_nameless: 'مرحبًا،',
  invoice_created: 'صدرت لك فاتورة جديدة بمبلغ {{- amount}}.',
  invoice_due_soon: 'تذكير: اقترب موعد استحقاق فاتورتك البالغة {{- amount}}.',
  invoice_overdue: 'انقضى موعد استحقاق فاتورتك البالغة {{- amount}}.',
  invoice_paid: 'تم سداد فاتورتك البالغة {{- amount}}. شكرًا لك!',
  unpaid_invoices_zero: 'ليست لديك فواتير غير مدفوعة.',
  unpaid_invoices_one: 'لديك فاتورة واحدة غير مدفوعة.',
  unpaid_invoices_two: 'لديك فاتورتان غير مدفوعتين.',
  unpaid_invoices_few: 'لديك {{count}} فواتير غير مدفوعة.',
  unpaid_invoices_many: 'لديك {{count}} فاتورة غير مدفوعة.',
  unpaid_invoices_other: 'لديك {{count}} فاتورة غير مدفوعة.',
  total_due: 'إجمالي المبلغ المستحق: {{- outstanding}}.',
  partly_paid: 'المبلغ المستلم حتى الآن: {{- paid}}. المبلغ المتبقي: {{- outstanding}}.',
  paid_on_chain: 'المبلغ المستلم عبر البلوكتشين: {{- paid}}.',
  off_platform: 'المبلغ المسدد خارج المنصة: {{- settled}}.',
  due: 'تاريخ الاستحقاق: {{- due}}.',
  earliest_due: 'أول تاريخ استحقاق: {{- due}}.',
  pay_to: 'للدفع، أرسل {{- outstanding}} عبر شبكة {{- network}} إلى هذا العنوان:',
  only_so: 'أرسل عملة USDT فقط وعبر هذه الشبكة فقط: لا يمكن احتساب أي تحويلات أخرى.',
  wallet_changed: 'تم تغيير المحفظة المحفوظة لمدفوعاتك. تبدأ الآن بـ {{- begin}} وتنتهي بـ {{- end}}.',
  wallet_question: 'تم تغيير المحفظة المحفوظة لمدفوعاتك إلى هذا العنوان:',
  wallet_question_from: 'لن يُدفع إليها شيء قبل تأكيدها، ولا قبل {{- from}}. قارن كل حرف ورقم. هل هذه محفظتك؟',
  button_wallet_confirmed: 'تأكيد',
  button_wallet_not_me: 'لست أنا',
  wallet_confirmed:
    'تم التأكيد. تصل المدفوعات إلى محفظتك التي تبدأ بـ {{- begin}} وتنتهي بـ {{- end}}، اعتبارًا من {{- from}} على أقرب تقدير.',
  wallet_disowned:
    'تم تسجيل ردك. لن يُدفع شيء إلى المحفظة التي تبدأ بـ {{- begin}} وتنتهي بـ {{- end}} حتى يقرر أحد المشرفين.',
  wallet_no_effect:
    'لا أثر لردك. إما أن المحفظة تغيّرت مرة أخرى أو تم البتّ فيها، أو أن حسابك على تيليجرام سُجّل قبل أقل من 30 يومًا.',
  withdrawal_ordered:
    'طُلب سحب {{- amount}} من محفظتك المشتركة. سيصل المبلغ إلى محفظتك التي تبدأ بـ {{- begin}} وتنتهي بـ {{- end}}.',
  withdrawal_ordered_everything:
    'طُلب سحب كل رصيدك من المحفظة المشتركة. سيصل إلى محفظتك التي تبدأ بـ {{- begin}} وتنتهي بـ {{- end}}.',
  not_you: 'إذا لم تطلب ذلك، فأبلغ مجتمعك فورًا عبر محادثة تعرفها من قبل.',
  withdraw_funds: 'بدأت تسوية محفظة مجتمع {{community}} المشتركة.',
  withdraw_reminder: 'تذكير: محفظة مجتمع {{community}} المشتركة بانتظار السحب من طرفك.',
  withdrawal_cancelled: 'أُلغيت تسوية محفظة مجتمع {{community}} المشتركة. لا حاجة إلى سحب أي مبلغ.',
  withdraw_to:
    'يرجى سحب كل عملات USDT من حسابها في Bybit، نحو {{- amount}}، عبر شبكة {{- network}} إلى هذا العنوان:',
  withdraw_all: 'يرجى سحب الرصيد كاملًا، بعملة USDT فقط وعبر هذه الشبكة فقط.',
  withdraw_report: 'بعد سحب الرصيد كاملًا، يرجى إبلاغنا هنا:',
  owner_page_title: 'السحب من محفظة مجتمع {{- community}} المشتركة',
  owner_page_report: 'لقد سحبت الرصيد كاملًا',
  owner_page_reported: 'شكرًا لك. يجري الآن التحقق من الحساب في Bybit.',
  owner_page_over: 'لا حاجة إلى سحب أي مبلغ من هذه المحفظة حاليًا.',
  trial_ending: 'تنتهي الفترة التجريبية لاشتراك {{community}} في {{- day}}، ثم يصبح الاشتراك مدفوعًا.',
  payment_failed:
    'تعذّر دفع اشتراك {{community}}. يبقى كل شيء متاحًا حتى {{- day}}. يُرجى التحقق من وسيلة الدفع.',
  grace_ending:
    'لا يزال اشتراك {{community}} غير مدفوع. بعد {{- day}} لن يكون بالإمكان تشغيل بوت التداول الخاص به.',
  subscription_ended:
    'انتهى اشتراك {{community}}: {{- day}}. لا يؤثر ذلك على المتداولين أو الفواتير أو المدفوعات.',
};
