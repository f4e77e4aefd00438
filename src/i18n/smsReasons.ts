/** Why an SMS was not sent. */
export const englishSmsReasons = {
  credentials: 'the SMS provider refuses the credentials',
  answered: 'the SMS provider answered: {answer}',
  throttled: 'the SMS provider takes no more at the moment (429)',
  redirected: 'the SMS provider redirects to another address ({status})',
  'not-reached': 'the SMS provider can not be reached: {attempt}',
  'not-confirmed': 'the SMS provider did not confirm the SMS ({attempt}): it may have been sent anyway',
  'provider-fault': 'the SMS provider is out of order ({status}): the SMS may have been sent anyway',
  interrupted: 'the service was interrupted while sending: the SMS may have been sent anyway',
  'not-set-up': 'there is no SMS provider',
  'voucher-missing': 'there is no such voucher',
  'voucher-ended': 'the voucher is no longer valid',
  unexpected: 'an unexpected error occurred',
  text: '{text}',
} as const;

/** The same in German. */
export const germanSmsReasons = {
  credentials: 'der SMS-Anbieter nimmt die Zugangsdaten nicht an',
  answered: 'Antwort des SMS-Anbieters: {answer}',
  throttled: 'der SMS-Anbieter nimmt gerade nicht mehr an (429)',
  redirected: 'der SMS-Anbieter schickt an eine andere Adresse weiter ({status})',
  'not-reached': 'der SMS-Anbieter ist nicht erreichbar: {attempt}',
  'not-confirmed':
    'der SMS-Anbieter hat die SMS nicht bestätigt ({attempt}): vielleicht wurde sie trotzdem gesendet',
  'provider-fault': 'der SMS-Anbieter ist gestört ({status}): vielleicht wurde die SMS trotzdem gesendet',
  interrupted: 'der Dienst wurde beim Senden unterbrochen: vielleicht wurde die SMS trotzdem gesendet',
  'not-set-up': 'es gibt keinen SMS-Anbieter',
  'voucher-missing': 'diesen Voucher gibt es nicht',
  'voucher-ended': 'der Voucher ist nicht mehr gültig',
  unexpected: 'ein unerwarteter Fehler ist aufgetreten',
  text: '{text}',
} as const satisfies Readonly<Record<keyof typeof englishSmsReasons, string>>;

/** The same in French. */
export const frenchSmsReasons = {
  credentials: 'le fournisseur de SMS refuse les identifiants',
  answered: 'réponse du fournisseur de SMS : {answer}',
  throttled: 'le fournisseur de SMS n’accepte plus rien pour le moment (429)',
  redirected: 'le fournisseur de SMS redirige vers une autre adresse ({status})',
  'not-reached': 'le fournisseur de SMS est injoignable : {attempt}',
  'not-confirmed':
    'le fournisseur de SMS n’a pas confirmé le SMS ({attempt}) : il a peut-être été envoyé quand même',
  'provider-fault':
    'le fournisseur de SMS est en panne ({status}) : le SMS a peut-être été envoyé quand même',
  interrupted: 'le service a été interrompu pendant l’envoi : le SMS a peut-être été envoyé quand même',
  'not-set-up': 'il n’y a pas de fournisseur de SMS',
  'voucher-missing': 'ce coupon n’existe pas',
  'voucher-ended': 'le coupon n’est plus valable',
  unexpected: 'une erreur inattendue est survenue',
  text: '{text}',
} as const satisfies Readonly<Record<keyof typeof englishSmsReasons, string>>;

/** The same in Italian. */
export const italianSmsReasons = {
  credentials: 'il fornitore SMS rifiuta le credenziali',
  answered: 'risposta del fornitore SMS: {answer}',
  throttled: 'il fornitore SMS al momento non accetta altro (429)',
  redirected: 'il fornitore SMS reindirizza a un altro indirizzo ({status})',
  'not-reached': 'il fornitore SMS non è raggiungibile: {attempt}',
  'not-confirmed': 'il fornitore SMS non ha confermato l’SMS ({attempt}): forse è stato inviato comunque',
  'provider-fault': 'il fornitore SMS è guasto ({status}): forse l’SMS è stato inviato comunque',
  interrupted: 'il servizio è stato interrotto durante l’invio: forse l’SMS è stato inviato comunque',
  'not-set-up': 'non c’è alcun fornitore SMS',
  'voucher-missing': 'questo voucher non esiste',
  'voucher-ended': 'il voucher non è più valido',
  unexpected: 'si è verificato un errore imprevisto',
  text: '{text}',
} as const satisfies Readonly<Record<keyof typeof englishSmsReasons, string>>;

/** The same in Spanish. */
export const spanishSmsReasons = {
  credentials: 'el proveedor de SMS rechaza las credenciales',
  answered: 'respuesta del proveedor de SMS: {answer}',
  throttled: 'el proveedor de SMS no acepta más por ahora (429)',
  redirected: 'el proveedor de SMS redirige a otra dirección ({status})',
  'not-reached': 'no se puede contactar con el proveedor de SMS: {attempt}',
  'not-confirmed':
    'el proveedor de SMS no ha confirmado el SMS ({attempt}): quizá se haya enviado de todos modos',
  'provider-fault': 'el proveedor de SMS falla ({status}): quizá el SMS se haya enviado de todos modos',
  interrupted: 'el servicio se interrumpió durante el envío: quizá el SMS se haya enviado de todos modos',
  'not-set-up': 'no hay proveedor de SMS',
  'voucher-missing': 'este vale no existe',
  'voucher-ended': 'el vale ya no es válido',
  unexpected: 'se ha producido un error inesperado',
  text: '{text}',
} as const satisfies Readonly<Record<keyof typeof englishSmsReasons, string>>;

/** The same in Dutch. */
export const dutchSmsReasons = {
  credentials: 'de sms-aanbieder weigert de inloggegevens',
  answered: 'antwoord van de sms-aanbieder: {answer}',
  throttled: 'de sms-aanbieder neemt op dit moment niets meer aan (429)',
  redirected: 'de sms-aanbieder verwijst door naar een ander adres ({status})',
  'not-reached': 'de sms-aanbieder is niet bereikbaar: {attempt}',
  'not-confirmed':
    'de sms-aanbieder heeft de sms niet bevestigd ({attempt}): misschien is hij toch verzonden',
  'provider-fault': 'de sms-aanbieder heeft een storing ({status}): misschien is de sms toch verzonden',
  interrupted: 'de dienst werd tijdens het verzenden onderbroken: misschien is de sms toch verzonden',
  'not-set-up': 'er is geen sms-aanbieder',
  'voucher-missing': 'deze voucher bestaat niet',
  'voucher-ended': 'de voucher is niet meer geldig',
  unexpected: 'er is een onverwachte fout opgetreden',
  text: '{text}',
} as const satisfies Readonly<Record<keyof typeof englishSmsReasons, string>>;
