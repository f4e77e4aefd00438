import { italianCsvHeadings } from './csvHeadings.js';
import type { TextTable } from './en.js';
import { italianFailures } from './failures/it.js';
import { italianNotifications } from './notificationTexts.js';
import { italianSmsReasons } from './smsReasons.js';

/** What the service says to people in Italian. */
export const it = {
  addressKind: {
    unspecified: 'un indirizzo indeterminato',
    loopback: 'un indirizzo di questo stesso computer',
    private: 'un indirizzo privato',
    'link-local': 'un indirizzo valido solo nella rete locale',
    provider: 'un indirizzo nella rete di un provider',
    cloud: 'un indirizzo nella rete di un cloud',
    documentation: 'un indirizzo per esempi',
    benchmark: 'un indirizzo per misurazioni',
    multicast: 'un indirizzo multicast',
    reserved: 'un indirizzo riservato',
    'ipv4-in-ipv6': 'un indirizzo IPv4 in IPv6',
    'this-machine': 'questo computer',
    none: 'un indirizzo non valido',
  },
  attempt: {
    redirected: 'ha risposto {status}, un reindirizzamento',
    answered: 'ha risposto {status}',
    'answered-code': 'ha risposto {status} ({code})',
    throttled: 'per ora non accetta altro (429)',
    refused: 'connessione rifiutata',
    reset: 'connessione interrotta',
    'unknown-host': 'il nome non esiste',
    'name-service': 'il servizio dei nomi non risponde',
    unreachable: 'non raggiungibile',
    'no-connection': 'nessuna connessione',
    'no-http': 'la risposta non è HTTP',
    tls: 'TLS non riuscito: {code}',
    certificate: 'certificato non attendibile: {code}',
    timeout: 'nessuna risposta entro {seconds} s',
    other: 'la richiesta non è riuscita',
    'address-internal': '{host} è {addressKind}; per consentirlo, indicarlo in WEBHOOK_ALLOW_PRIVATE',
    'name-internal':
      '{host} porta a {address}, {addressKind}; per consentirlo, indicarlo in WEBHOOK_ALLOW_PRIVATE',
    'address-malformed': 'non è un indirizzo della forma https://host/percorso',
    'address-protocol': 'sono consentiti solo https:// e http://',
    'address-credentials': 'nome utente o password nell’indirizzo non sono consentiti',
    text: '{text}',
  },
  email: {
    credentials: 'il server di posta non accetta le credenziali',
    answered: 'risposta del server di posta: {answer}',
    'no-answer': 'il server di posta non risponde',
    'unknown-host': 'il nome del server di posta non si trova',
    'host-refused': 'il nome del server di posta porta a un indirizzo che nessun server di posta può avere',
    'not-set-up': 'non c’è alcun server di posta',
    'recipient-gone': 'non è più per questo utente',
    'too-late': 'nessuno l’aspetta più',
    'no-connection': 'nessuna connessione al server di posta ({code})',
    disconnected: 'il server di posta ha chiuso la connessione',
    tls: 'nessuna connessione crittografata al server di posta ({code})',
    'no-starttls':
      'il server di posta non offre STARTTLS: scegliere un’altra crittografia, per esempio TLS dall’inizio con la porta 465',
    'certificate-name':
      'il certificato del server di posta vale per un altro nome: inserire il nome indicato dal fornitore, non un indirizzo IP né un altro nome',
    'certificate-expired': 'il certificato del server di posta è scaduto: va rinnovato sul server',
    'certificate-early':
      'il certificato del server di posta non è ancora valido: controllare gli orologi di entrambe le macchine',
    'certificate-untrusted':
      'il certificato del server di posta non è stato emesso da un’autorità nota a questa macchina: NODE_EXTRA_CA_CERTS può indicare il file della propria autorità',
    'tls-failed':
      'il server di posta non risponde con TLS ({code}): probabilmente porta e crittografia non corrispondono; TLS dall’inizio usa di solito la porta 465, STARTTLS la porta 587',
    'tls-silent':
      'il server di posta accetta la connessione, ma non completa la crittografia: probabilmente porta e crittografia non corrispondono; TLS dall’inizio usa di solito la porta 465, STARTTLS la porta 587',
    'no-greeting':
      'il server di posta accetta la connessione, ma non si presenta: probabilmente porta e crittografia non corrispondono; TLS dall’inizio usa di solito la porta 465, STARTTLS la porta 587',
    'not-confirmed': 'il server di posta non ha confermato l’e-mail: forse è stata inviata comunque',
    stopping: 'il servizio si sta arrestando',
    'voucher-missing': 'questo voucher non esiste',
    'voucher-ended': 'il voucher non è più valido',
    other: 'il server di posta non è utilizzabile ({code})',
    unexpected: 'si è verificato un errore imprevisto',
    text: '{text}',
  },
  csvHeading: italianCsvHeadings,
  notification: italianNotifications,
  sms: italianSmsReasons,
  order: {
    'not-shown':
      'Il controller ha mostrato {shown} voucher su {count}. Si sta verificando quali esistono; ci vuole circa un minuto.',
    'only-some': 'Il controller ha creato solo {made} voucher su {count}.',
    none: 'Il controller non ha risposto in tempo e non ha creato nulla.',
    'not-usable': 'Il controller ha creato voucher senza codice. Sono stati bloccati.',
    'controller-removed': 'Il controller è stato rimosso prima di poter verificare che cosa ha creato.',
    'too-late': 'Non è stato possibile salvare l’ordine in tempo. Non è stato creato nulla.',
    'taken-by-others':
      'I voucher sono stati assegnati a un altro ordine. Si sta verificando se ne esistono altri.',
    'settings-unusable': 'Le impostazioni del controller non sono utilizzabili.',
    unexpected: 'Si è verificato un errore imprevisto.',
  },
  revocation: {
    'controller-removed': 'Il controller è stato rimosso e non può più essere interrogato.',
    'too-late': 'Non c’era più tempo. Riprovare.',
  },
  quote: {
    none: '',
    said: ' ({said})',
    status: ' (stato {status})',
    'said-status': ' ({said}, stato {status})',
  },
  named: { none: '', name: ' «{name}»' },
  seen: { none: '', fingerprint: '; la sua impronta SHA-256 è {fingerprint}' },
  distrust: {
    'self-signed': 'è autofirmato',
    'unknown-ca': 'è firmato da un’autorità di certificazione sconosciuta',
    expired: 'è scaduto: era valido fino al {validTo}',
    'not-yet-valid': 'non è ancora valido: lo è dal {validFrom}',
    'host-name': 'non vale per {host}, ma per {names}',
    other: 'non si può verificare: {code}',
  },
  failure: italianFailures,
  failureDetail: italianFailures,
  controllerProblem: {
    failed: '{failureDetail}',
    'credentials-sealed':
      'Le credenziali salvate non si possono aprire: sono state sigillate con un’altra chiave o per un altro indirizzo',
    url: 'L’indirizzo non è consentito: ne serve uno con https, senza utente, password e parametri, come https://192.168.1.1',
    fingerprint: 'L’impronta non è valida: SHA-256 ha 64 cifre esadecimali',
    'ca-file': 'Il testo non contiene alcun certificato PEM',
    credentials: 'Le credenziali mancano o non sono adatte a questo tipo',
    address: 'Questo tipo non ha indirizzo',
    trust: 'Un’impronta oppure un’autorità di certificazione: non entrambe insieme',
    settings: 'Le impostazioni non sono utilizzabili',
    unexpected: 'Si è verificato un errore imprevisto',
  },
  remedy: {
    name: 'Controllare il nome, o indicare invece l’indirizzo IP',
    connection:
      'Controllare indirizzo e porta, che il controller sia in funzione, e il firewall lungo il percorso',
    timeout: 'Vedere che cosa occupa il controller, o riavviarlo se è bloccato',
    disconnected: 'Riprovare; se si ripete, cercare un proxy lungo il percorso',
    pin: 'Confrontare l’impronta con quella che mostra il controller stesso, e fissarla se è la stessa',
    'unknown-ca': 'Indicare il certificato dell’autorità di certificazione; oppure: {remedy}',
    expired:
      'Rinnovare il certificato sul controller e controllare l’orologio di questo server; oppure: {remedy}',
    'not-yet-valid': 'Controllare gli orologi del controller e di questo server; oppure: {remedy}',
    'host-name': 'Usare un indirizzo per cui vale; oppure: {remedy}',
    'other-certificate':
      'Scoprire perché è cambiato, e fissarlo solo se il controller stesso mostra la stessa impronta',
    credentials: 'Inserire di nuovo le credenziali',
    'two-factor': 'Creare sul controller un account locale senza secondo fattore, e usare quello',
    'locked-out': 'Attendere tre minuti e riprovare',
    permission:
      'Dare all’account sul controller il permesso di gestire i voucher: in UniFi il ruolo Hotspot o Amministratore',
    site: 'Scegliere un’altra sede',
    bounds: 'Scegliere un altro valore',
    throttled: 'Attendere un minuto',
    'circuit-open': 'Scoprire perché non funziona; viene interrogato di nuovo automaticamente',
    deadline: 'Scoprire perché è lento',
    update: 'Aggiornare UniFi Network, o scegliere il tipo «unifi-classic»',
    refused: 'Fare ciò che dice il controller, o guardare nel suo log',
    unreadable:
      'Verificare che l’indirizzo sia quello del controller stesso, e il tipo; se si sta avviando, riprovare tra un minuto',
    'not-read': 'Cercare il voucher sul controller',
  },
  advice: {
    'mikrotik-radius':
      'I voucher vengono creati in User Manager, ma nessun hotspot di questo router interroga un server RADIUS. Inserire sul router, con un segreto proprio:',
    'mikrotik-user-manager':
      'User Manager è installato ma non in uso, quindi i voucher vengono creati come utenti dell’hotspot. Per usarlo, inserire sul router:',
    'mikrotik-hotspot':
      'Questo router non ha un hotspot in cui gli ospiti possano digitare un codice. Per configurarne uno, inserire sul router:',
    'radius-accounting':
      'Non è ancora stato registrato alcun accounting: la tabella radacct è vuota. Senza di esso tempo, dispositivi e volume non vengono mai contati. Attivarlo sugli access point e lasciare «sql» nella sezione accounting del server.',
    'radius-nas':
      'La tabella nas è vuota, quindi gli ospiti online non possono essere disconnessi quando il loro voucher viene bloccato. Aggiungere ogni access point con indirizzo e segreto.',
    'radius-index':
      'La tabella radacct non ha un indice sui nomi utente, quindi ogni accesso e ogni sincronizzazione la legge per intero. Aggiungerlo nel database:',
    'radius-engine':
      'La tabella {table} usa il motore {engine}, che non conosce transazioni: un ordine interrotto può lasciare una parte dei suoi voucher. Cambiarlo nel database:',
    'radius-policy': 'Sul server FreeRADIUS, se non è già fatto, salvare questo come {file}:',
    'radius-authorize':
      'In {file}, nella sezione authorize, aggiungere questa riga sopra «-sql» o «sql». Lasciare «-sql» o «sql» nella sezione accounting: da lì si contano gli utilizzi e il tempo.',
    'radius-restart': 'Poi riavviare il server:',
  },
  connectionTest: {
    endpoint: '{address}, porta {port}',
    addresses: '{addresses}',
    system: 'Il sistema lo riconosce',
    'own-ca': 'L’autorità di certificazione indicata lo ha firmato',
    pinned: 'È quello fissato',
  },
  duration: { seconds: '{count} s', minutes: '{count} min', hours: '{count} h', days: '{count} giorni' },
  demoValidity: {
    'for-ever': 'per sempre',
    until: 'fino al {time}, se una demo in corso non la prolunga',
  },
  sealed: {
    webhook: 'webhook «{name}»',
    controller: 'controller «{name}»',
    'second-factor': 'secondo fattore di «{name}»',
    wifi: 'password Wi-Fi della sede {site}',
    'order-codes': 'codici dell’ordine aperto «{name}»',
    'mail-server': 'password del server di posta',
    'identity-provider': 'segreto client del provider di identità',
    'sms-provider': 'segreto del fornitore SMS',
  },
  sealedRemedy: {
    webhook: 'rimuovere il webhook',
    controller:
      'dargli di nuovo le sue credenziali: {command} (prima controllare che il suo indirizzo sia giusto: {address})',
    'controller-without-address':
      'dargli di nuovo le sue credenziali: {command} (prima controllare che il suo indirizzo sia giusto: nessuno)',
    'second-factor': 'farlo configurare di nuovo: {command}',
    wifi: 'inserire di nuovo la password Wi-Fi nella pagina Sedi',
    'order-codes': 'avviare il servizio con la chiave segreta che aveva al momento dell’ordine',
    'mail-server': 'inserirla di nuovo nella pagina E-mail',
    'identity-provider': 'inserirlo di nuovo nella pagina Utenti',
    'sms-provider': 'inserirlo di nuovo nella pagina SMS',
  },
  finding: {
    'disk-free': '{free} liberi',
    'disk-low': 'solo {free} liberi',
    'disk-not-writable': 'non è possibile scrivere in {dataDir}{code}',
    clock: '{time}, fuso orario {zone}',
    'email-off': 'non configurata: i voucher non si possono inviare per e-mail',
    'email-on': 'configurata, tramite {host}',
    'email-incomplete': 'incompleta: manca il mittente o la password del server di posta',
    'email-unusable': 'configurata, ma {host} non è utilizzabile: {detail}',
    'sms-off': 'non configurati: i voucher non si possono inviare per SMS',
    'sms-on': 'configurati, tramite {host}',
    'sms-failed': 'configurati, tramite {host}; ultimo errore alle {time}: {sms}',
    'sms-incomplete': 'incompleti: manca il segreto del fornitore',
    'single-sign-on-off': 'non configurato: gli utenti accedono con una password',
    'single-sign-on-on': 'configurato, presso {host}',
    'single-sign-on-unusable': 'configurato, ma nessuno può accedere presso {host}: {detail}',
    'single-sign-on-incomplete': 'incompleto: nessuno può accedere in questo modo',
    'files-closed': 'nessun altro utente di questo computer può aprire i file',
    'files-open': 'ogni utente di questo computer può aprire questi file: {files}',
    'files-none': 'non ci sono ancora file: nulla in {dataDir}',
    'files-hidden': 'questo utente non può guardare qui, quindi non si sa chi può aprire i file: {files}',
    'files-not-usable':
      'questo utente non può aprire questi file, né può farlo altri che il proprietario: {files}',
    'keys-valid': 'valide: {count}',
    'keys-none': 'nessuna',
    'sites-active': 'attive: {count}',
    'sites-none': 'nessuna attiva',
    'demo-key': 'la chiave {prefix} di una demo vale {demoValidity}',
    'demo-key-on-all-sites': 'la chiave {prefix} di una demo vale {demoValidity}, in tutte le sedi',
    'demo-key-on-real-sites':
      'la chiave {prefix} di una demo vale {demoValidity}, in tutte le sedi, anche in quelle di controller reali',
    'intents-none': 'nessuno in sospeso',
    'intents-open': 'in sospeso: {count}, il più vecchio da {duration}',
    'intents-overdue': 'in sospeso: {count}, il più vecchio da {duration}, quindi più a lungo di {limit}',
    'secrets-open': 'tutti quelli salvati si possono aprire',
    'secrets-not-open': 'sigillati con un’altra chiave o per un altro indirizzo: {sealed}',
    'secrets-unknown': 'non è stato possibile verificarli: la chiave segreta o il database non è leggibile',
    'controller-answers': 'risponde',
    'controller-not-asked': 'non ancora interrogato',
    'controller-silent': 'non risponde',
    'controller-failing': '{controllerProblem}',
    'webhook-switched-off': '{name} è stato disattivato: {attempt}',
    'delivery-failed':
      '1 consegna definitivamente fallita negli ultimi 7 giorni, l’ultima a {name}, {time}: {attempt}',
    'deliveries-failed':
      '{count} consegne definitivamente fallite negli ultimi 7 giorni, l’ultima a {name}, {time}: {attempt}',
    'deliveries-waiting':
      'alcune consegne a {name} sono in attesa da {duration}, dopo {tries} tentativi: {attempt}',
    'webhooks-fine': 'tutti funzionano',
    'not-checked': 'non è stato possibile verificare',
  },
  findingRemedy: {
    'disk-low': 'liberare almeno 200 MB sul disco di {dataDir}',
    'disk-not-writable': 'consentire a questo utente di scrivere in {dataDir}, o impostare DATA_DIR',
    'other-user': 'eseguire il comando come utente del servizio, o come root',
    clock: 'regolare l’orologio di questo computer',
    'email-off':
      'per inviare e-mail, configurare un server di posta nella pagina E-mail, o impostare SMTP_URL e MAIL_FROM',
    'email-incomplete': 'completare nella pagina E-mail, o impostare SMTP_URL e MAIL_FROM',
    'email-unusable': 'controllare SMTP_URL o la pagina E-mail, e inviare lì un’e-mail di prova',
    'sms-off': 'per inviare SMS, configurare un fornitore nella pagina SMS, o impostare SMS_PROVIDER',
    'sms-incomplete': 'inserire il segreto nella pagina SMS',
    'single-sign-on-off':
      'per usarlo, configurarlo nella pagina Utenti, o impostare OIDC_ISSUER, OIDC_CLIENT_ID e OIDC_CLIENT_SECRET',
    'single-sign-on-incomplete':
      'completarlo nella pagina Utenti, che dice che cosa manca, o impostare le variabili OIDC_…',
    'single-sign-on-unusable': 'provarlo nella pagina Utenti; un utente con password può ancora accedere',
    'demo-key': 'terminare la demo, e poi: {command}',
    intents: 'il servizio li risolve finché è in funzione e raggiunge il loro controller: vedere lì',
    'secrets-not-open':
      'rimettere al suo posto quella chiave (SECRET_KEY, SECRET_KEY_FILE o secret.key in DATA_DIR), o {sealedRemedy}',
    'secrets-unknown': 'rimettere al loro posto SECRET_KEY, SECRET_KEY_FILE o secret.key in DATA_DIR',
    controller: 'provarlo nella pagina Controller',
    'webhook-switched-off': 'riattivarlo o rimuoverlo: {command}',
    'deliveries-failed':
      'vedere che cosa è fallito ed eliminare la causa: {list}\ninviare di nuovo ciò che serve ancora: {resend}',
    'not-checked': 'guardare nel log del servizio',
  },
} as const satisfies TextTable;
