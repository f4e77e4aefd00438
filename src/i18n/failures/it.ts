import type { FailureTable } from './en.js';

/**
 * Why a call of a controller failed. The operator reads the same in Italian; the log and the command line are
 * English.
 */
export const italianFailures = {
  'unreachable-refused': 'Il controller{named} non è raggiungibile: la connessione è stata rifiutata',
  'unreachable-reset': 'Il controller{named} non è raggiungibile: la connessione è stata interrotta',
  'unreachable-unknown-host': 'Il controller{named} non è raggiungibile: il nome è sconosciuto',
  'unreachable-name-service': 'Il controller{named} non è raggiungibile: il servizio dei nomi non risponde',
  'unreachable-no-route': 'Il controller{named} non è raggiungibile: nessun percorso vi porta',
  'unreachable-timeout':
    'Il controller{named} non è raggiungibile: la connessione non è stata stabilita in tempo',
  'unreachable-tls': 'Il controller{named} non è raggiungibile: la negoziazione TLS non è riuscita',
  'unreachable-closed': 'La connessione al controller{named} è chiusa',
  'unreachable-other':
    'Il controller{named} non è raggiungibile: non è stato possibile stabilire la connessione',
  timeout: 'Il controller{named} non ha risposto in tempo',
  'timeout-within': 'Il controller{named} non ha risposto entro {seconds} s',
  disconnected: 'La connessione al controller{named} si è interrotta prima della fine della risposta',
  'certificate-self-signed': 'Il certificato del controller{named} non è attendibile: è autofirmato',
  'certificate-unknown-ca':
    'Il certificato del controller{named} non è attendibile: la sua autorità di certificazione è sconosciuta',
  'certificate-expired': 'Il certificato del controller{named} è scaduto (valido fino al {validTo})',
  'certificate-not-yet-valid':
    'Il certificato del controller{named} non è ancora valido (solo dal {validFrom})',
  'certificate-host-name': 'Il certificato del controller{named} non vale per il suo indirizzo',
  'certificate-other': 'Il certificato del controller{named} non è attendibile ({code})',
  'other-certificate': 'Il controller{named} mostra un certificato diverso da quello fissato',
  'credentials-api-key': 'Il controller{named} non accetta la chiave API{quote}',
  'credentials-client': 'Il controller{named} non accetta l’ID client o il suo segreto{quote}',
  'credentials-account':
    'Il controller{named} rifiuta l’utente o la password; prossimo tentativo non prima di {seconds} s',
  'two-factor':
    'L’account sul controller{named} richiede un secondo fattore. Creare sul controller un account locale senza secondo fattore, con il ruolo Hotspot o Amministratore, e usare quello',
  'locked-out':
    'Il controller{named} per ora non consente altri accessi, dopo troppi tentativi; prossimo tentativo tra {seconds} s',
  'permission-api-key': 'La chiave API per il controller{named} non ha questo permesso{quote}',
  'permission-client': 'L’applicazione sul controller{named} non ha questo permesso{quote}',
  'permission-account':
    'L’account sul controller{named} non ha questo permesso. Gli serve il ruolo Hotspot o Amministratore{quote}',
  'site-unknown': 'Il controller{named} non conosce questa sede{quote}',
  'site-not-listed': 'Il controller{named} non conosce la sede impostata',
  'site-several': 'Il controller{named} ha più sedi, e nessuna è impostata',
  'bounds-value': '{field}: il controller{named} non accetta {value}, solo da {from} a {to}',
  'bounds-not-kept': '{field}: il controller{named} non può limitarlo',
  'bounds-count': 'Il controller{named} crea da {from} a {to} voucher alla volta',
  'bounds-unnamed': 'Il controller{named} ha rifiutato un valore dell’ordine{quote}',
  throttled: 'Il controller{named} viene interrogato troppo spesso; attendere {seconds} s',
  'circuit-open':
    'Il controller{named} non ha risposto più volte di seguito; viene verificato di nuovo tra {seconds} s',
  deadline: 'Non è rimasto tempo per il controller{named}; non è stato interrogato',
  'refused-request': 'Il controller{named} ha rifiutato la richiesta{quote}',
  'refused-order': 'Il controller{named} ha rifiutato l’ordine{quote}',
  'refused-login': 'Il controller{named} ha rifiutato l’accesso{quote}',
  'refused-session': 'Il controller{named} richiede un nuovo accesso subito dopo il primo{quote}',
  'refused-csrf': 'Il controller{named} non accetta modifiche con questo accesso (CSRF)',
  'refused-too-old': 'Il controller{named} è troppo vecchio: UniFi Network {version}, serve {needed}',
  'refused-no-vouchers':
    'Il controller{named} non conosce voucher in questa sede; serve UniFi Network {needed}',
  'unreadable-answer': 'La risposta del controller{named} non è leggibile{quote}',
  'unreadable-too-large': 'La risposta del controller{named} è troppo grande{quote}',
  'unreadable-redirect': 'Il controller{named} rimanda a un altro indirizzo{quote}',
  'unreadable-faulty': 'Il controller{named} è guasto{quote}',
  'unreadable-starting': 'Il controller{named} si sta avviando o è guasto{quote}',
  'unreadable-login': 'Il controller{named} si sta avviando o è guasto: non risponde all’accesso{quote}',
  'unreadable-no-session': 'L’accesso al controller{named} non ha aperto alcuna sessione{quote}',
  'unreadable-no-unifi': 'All’indirizzo del controller{named} non risponde alcun UniFi{quote}',
  'unreadable-no-unifi-network':
    'All’indirizzo del controller{named} non risponde alcun UniFi Network{quote}',
  'unreadable-no-integration-api':
    'All’indirizzo del controller{named} non risponde alcuna Integration API; serve UniFi Network {needed}{quote}',
  'unreadable-no-version': 'Il controller{named} non indica la sua versione{quote}',
  'unreadable-list': 'L’elenco del controller{named} non è leggibile{quote}',
  'unreadable-list-changing': 'L’elenco del controller{named} cambia troppo in fretta{quote}',
  'unreadable-list-incomplete': 'L’elenco del controller{named} è incompleto{quote}',
  'unreadable-voucher': 'Un voucher del controller{named} non è leggibile{quote}',
  'unreadable-no-code': 'Il controller{named} ha fornito un voucher senza codice{quote}',
  'not-read': 'Il voucher è creato sul controller{named}, ma non è stato letto: errore',
  'not-read-not-listed':
    'Il voucher è creato sul controller{named}, ma non è stato letto: lì non è ancora visibile',
  'not-read-cause': 'Il voucher è creato sul controller{named}, ma non è stato letto: {cause}',
} as const satisfies FailureTable;
