export const pl = {
  greeting: 'Dzień dobry, {{name}}!',
  greeting_nameless: 'Dzień dobry!',
  invoice_created: 'Wystawiliśmy dla Ciebie nową fakturę na kwotę {{- amount}}.',
  invoice_due_soon: 'Przypomnienie: zbliża się termin płatności Twojej faktury na kwotę {{- amount}}.',
  invoice_overdue: 'Minął termin płatności Twojej faktury na kwotę {{- amount}}.',
  invoice_paid: 'Twoja faktura na kwotę {{- amount}} jest opłacona. Dziękujemy!',
  invoice_recalled: 'Faktura na kwotę {{- amount}} została wycofana. Prosimy jej nie opłacać.',
  recalled_due_later: 'To, czego dotyczyła, może znaleźć się na późniejszej fakturze.',
  recalled_payment: 'Jeśli została już opłacona, wpłata pozostaje jako nadpłata i opłaci następną fakturę.',
  unpaid_invoices_one: 'Masz {{count}} nieopłaconą fakturę.',
  unpaid_invoices_few: 'Masz {{count}} nieopłacone faktury.',
  unpaid_invoices_many: 'Masz {{count}} nieopłaconych faktur.',
  unpaid_invoices_other: 'Masz {{count}} nieopłaconej faktury.',
  total_due: 'Razem do zapłaty: {{- outstanding}}.',
  partly_paid: 'Dotychczas otrzymaliśmy: {{- paid}}. Pozostało do zapłaty: {{- outstanding}}.',
  paid_on_chain: 'Otrzymano w sieci blockchain: {{- paid}}.',
  off_platform: 'Rozliczono poza platformą: {{- settled}}.',
  deducted: 'Już odliczono, ponieważ wcześniejsza faktura była za wysoka: {{- deducted}}.',
  credit: 'Nadpłata {{- credit}} pozostaje na Twoją korzyść i automatycznie pokryje kolejną fakturę.',
  due: 'Termin płatności: {{- due}}.',
  earliest_due: 'Najwcześniejszy termin płatności: {{- due}}.',
  pay_to: 'Aby zapłacić, wyślij {{- outstanding}} w sieci {{- network}} na ten adres:',
  only_so: 'Wysyłaj wyłącznie USDT i wyłącznie w tej sieci: innych przelewów nie możemy zaksięgować.',
  wallet_changed:
    'Zmieniono portfel zapisany do Twoich wypłat. Teraz zaczyna się od {{- begin}} i kończy na {{- end}}.',
  wallet_question: 'Portfel zapisany do Twoich wypłat zmieniono na ten adres:',
  wallet_question_from:
    'Nic nie zostanie na niego wypłacone przed potwierdzeniem ani przed {{- from}}. Porównaj każdy znak. Czy to Twój portfel?',
  button_wallet_confirmed: 'Potwierdzam',
  button_wallet_not_me: 'To nie ja',
  wallet_confirmed:
    'Potwierdzono. Wypłaty trafią do Twojego portfela, który zaczyna się od {{- begin}} i kończy na {{- end}}, najwcześniej {{- from}}.',
  wallet_disowned:
    'Zapisano. Na portfel, który zaczyna się od {{- begin}} i kończy na {{- end}}, nic nie zostanie wypłacone, dopóki nie zdecyduje administrator.',
  wallet_no_effect:
    'Twoja odpowiedź nie ma skutku. Portfel znów zmieniono lub już o nim zdecydowano, albo Twoje konto Telegram zapisano mniej niż 30 dni temu.',
  withdrawal_ordered:
    'Zlecono wypłatę {{- amount}} z Twojej puli. Trafi do Twojego portfela, który zaczyna się od {{- begin}} i kończy na {{- end}}.',
  withdrawal_ordered_everything:
    'Zlecono wypłatę wszystkich Twoich środków z puli. Trafi do Twojego portfela, który zaczyna się od {{- begin}} i kończy na {{- end}}.',
  withdrawal_needs_address:
    'Twojej wypłaty z puli nie można zrealizować, bo nie zapisano dla Ciebie adresu do wypłat. Podaj swojej społeczności własny adres dla USDT w sieci {{- network}}. Do tego czasu wypłata czeka.',
  withdrawal_refused:
    'Twoja wypłata {{- amount}} z puli została odrzucona: to więcej, niż masz w puli. Dostępne było {{- available}}. Poproś o tyle lub mniej albo o wszystko.',
  withdrawal_refused_nothing: 'Twoja wypłata z puli została odrzucona: nie było żadnych środków do wypłaty.',
  not_you: 'Jeśli to nie Twoja prośba, od razu powiadom swoją społeczność na czacie, który już znasz.',
  withdraw_funds: 'Rozpoczęło się rozliczenie puli społeczności {{community}}.',
  withdraw_reminder: 'Przypomnienie: pula społeczności {{community}} czeka na Twoją wypłatę.',
  withdrawal_cancelled:
    'Rozliczenie puli społeczności {{community}} zostało anulowane. Nie trzeba niczego wypłacać.',
  withdraw_to:
    'Wypłać wszystkie USDT z jej konta Bybit, około {{- amount}}, w sieci {{- network}} na ten adres:',
  withdraw_all: 'Wypłać całość, wyłącznie USDT i wyłącznie w tej sieci.',
  withdraw_report: 'Po wypłaceniu całości daj nam znać tutaj:',
  owner_page_title: 'Wypłata z puli społeczności {{- community}}',
  owner_page_report: 'Całość została wypłacona',
  owner_page_reported: 'Dziękujemy. Sprawdzamy teraz konto Bybit.',
  owner_page_over: 'Obecnie nie trzeba niczego wypłacać z tej puli.',
  trial_ending:
    'Okres próbny subskrypcji społeczności {{community}} kończy się {{- day}}. Następnie staje się ona płatna.',
  payment_failed:
    'Płatność za subskrypcję społeczności {{community}} nie powiodła się. Wszystko pozostaje dostępne do {{- day}}. Prosimy sprawdzić metodę płatności.',
  grace_ending:
    'Subskrypcja społeczności {{community}} jest nadal nieopłacona. Po {{- day}} nie będzie można włączyć jej bota giełdowego.',
  subscription_ended:
    'Subskrypcja społeczności {{community}} zakończyła się: {{- day}}. Nie ma to wpływu na traderów, faktury ani wypłaty.',
  payment_link:
    'Subskrypcja społeczności {{community}} nie jest jeszcze opłacona. Plan wybierasz i opłacasz na stronie Stripe, przez którą przyjmujemy płatności:',
  payment_link_unpaid:
    'Ostatnia płatność za subskrypcję społeczności {{community}} nie powiodła się. Możesz ją opłacić na stronie Stripe, przez którą przyjmujemy płatności:',
  owner_payment_open: 'Otwórz stronę płatności',
  owner_payment_title: 'Subskrypcja społeczności {{- community}}',
  owner_payment_plan: 'Wybierz plan. Płacisz na stronie Stripe, wcześniej nic nie jest pobierane.',
  owner_payment_monthly: 'Miesięcznie: {{- price}}',
  owner_payment_yearly: 'Rocznie: {{- price}}',
  owner_payment_unpaid: 'Ostatnia płatność nie powiodła się. Możesz ją opłacić na stronie Stripe.',
  owner_payment_pay: 'Przejdź do płatności',
  owner_payment_awaited: 'Potwierdzamy Twoją płatność. Potrwa to kilka sekund.',
  owner_payment_failed: 'W tej chwili to niemożliwe. Spróbuj ponownie za kilka minut.',
  owner_payment_paid: 'Subskrypcja jest opłacona. Dziękujemy.',
  owner_payment_over: 'Obecnie nie ma tu nic do zapłaty.',
  key_failing:
    'Giełda odrzuca klucz API Twojego konta w {{- exchanges}}. Dopóki nie zostanie wymieniony, konto nie jest odczytywane, a jego dane się nie zmieniają.',
  key_ending:
    'Klucz API Twojego konta w {{- exchanges}} wygasa {{- end}}. Od tego dnia konto nie będzie odczytywane, a jego dane nie będą się zmieniać, dopóki klucz nie zostanie wymieniony.',
  key_replace:
    'Utwórz nowy klucz tylko do odczytu i przekaż go tak jak poprzednio. Nigdy nie wysyłaj klucza na tym czacie.',
};
