import { frenchCsvHeadings } from './csvHeadings.js';
import type { TextTable } from './en.js';
import { frenchFailures } from './failures/fr.js';
import { frenchNotifications } from './notificationTexts.js';
import { frenchSmsReasons } from './smsReasons.js';

/** What the service says to people in French. */
export const fr = {
  addressKind: {
    unspecified: 'une adresse indéterminée',
    loopback: 'une adresse de cette machine elle-même',
    private: 'une adresse privée',
    'link-local': 'une adresse du réseau local seulement',
    provider: 'une adresse du réseau d’un fournisseur',
    cloud: 'une adresse du réseau d’un cloud',
    documentation: 'une adresse réservée aux exemples',
    benchmark: 'une adresse réservée aux mesures',
    multicast: 'une adresse multicast',
    reserved: 'une adresse réservée',
    'ipv4-in-ipv6': 'une adresse IPv4 dans IPv6',
    'this-machine': 'cette machine',
    none: 'une adresse non valable',
  },
  attempt: {
    redirected: 'a répondu {status}, une redirection',
    answered: 'a répondu {status}',
    'answered-code': 'a répondu {status} ({code})',
    throttled: 'n’accepte plus rien pour le moment (429)',
    refused: 'connexion refusée',
    reset: 'connexion interrompue',
    'unknown-host': 'le nom n’existe pas',
    'name-service': 'le service de noms ne répond pas',
    unreachable: 'injoignable',
    'no-connection': 'pas de connexion',
    'no-http': 'la réponse n’est pas du HTTP',
    tls: 'échec de TLS : {code}',
    certificate: 'certificat non reconnu : {code}',
    timeout: 'pas de réponse en {seconds} s',
    other: 'la requête a échoué',
    'address-internal': '{host} est {addressKind} ; pour l’autoriser, indiquez-la dans WEBHOOK_ALLOW_PRIVATE',
    'name-internal':
      '{host} mène à {address}, {addressKind} ; pour l’autoriser, indiquez-la dans WEBHOOK_ALLOW_PRIVATE',
    'address-malformed': 'pas une adresse de la forme https://hôte/chemin',
    'address-protocol': 'seuls https:// et http:// sont permis',
    'address-credentials': 'un nom d’utilisateur ou un mot de passe dans l’adresse n’est pas permis',
    text: '{text}',
  },
  email: {
    credentials: 'le serveur de messagerie refuse les identifiants',
    answered: 'réponse du serveur de messagerie : {answer}',
    'no-answer': 'le serveur de messagerie ne répond pas',
    'unknown-host': 'le nom du serveur de messagerie est introuvable',
    'host-refused':
      'le nom du serveur de messagerie mène à une adresse qu’aucun serveur de messagerie ne peut avoir',
    'not-set-up': 'il n’y a pas de serveur de messagerie',
    'recipient-gone': 'il n’est plus destiné à cet utilisateur',
    'too-late': 'plus personne ne l’attend',
    'no-connection': 'pas de connexion au serveur de messagerie ({code})',
    disconnected: 'le serveur de messagerie a coupé la connexion',
    tls: 'pas de connexion chiffrée au serveur de messagerie ({code})',
    'no-starttls':
      'le serveur de messagerie ne propose pas STARTTLS : choisissez un autre chiffrement, par exemple TLS dès le début avec le port 465',
    'certificate-name':
      'le certificat du serveur de messagerie est établi pour un autre nom : saisissez le nom indiqué par le fournisseur, pas une adresse IP ni un autre nom',
    'certificate-expired': 'le certificat du serveur de messagerie a expiré : il doit y être renouvelé',
    'certificate-early':
      'le certificat du serveur de messagerie n’est pas encore valable : vérifiez l’horloge des deux machines',
    'certificate-untrusted':
      'le certificat du serveur de messagerie n’a pas été émis par une autorité connue de cette machine : NODE_EXTRA_CA_CERTS peut indiquer le fichier de votre propre autorité',
    'tls-failed':
      'le serveur de messagerie ne répond pas en TLS ({code}) : le port et le chiffrement ne vont sans doute pas ensemble ; TLS dès le début utilise en général le port 465, STARTTLS le port 587',
    'tls-silent':
      'le serveur de messagerie accepte la connexion, mais n’achève pas le chiffrement : le port et le chiffrement ne vont sans doute pas ensemble ; TLS dès le début utilise en général le port 465, STARTTLS le port 587',
    'no-greeting':
      'le serveur de messagerie accepte la connexion, mais ne se présente pas : le port et le chiffrement ne vont sans doute pas ensemble ; TLS dès le début utilise en général le port 465, STARTTLS le port 587',
    'not-confirmed':
      'le serveur de messagerie n’a pas confirmé l’e-mail : il a peut-être été envoyé quand même',
    stopping: 'le service s’arrête',
    'voucher-missing': 'ce coupon n’existe pas',
    'voucher-ended': 'le coupon n’est plus valable',
    other: 'le serveur de messagerie n’est pas utilisable ({code})',
    unexpected: 'une erreur inattendue s’est produite',
    text: '{text}',
  },
  csvHeading: frenchCsvHeadings,
  notification: frenchNotifications,
  sms: frenchSmsReasons,
  order: {
    'not-shown':
      'Le contrôleur a montré {shown} coupons sur {count}. Le service vérifie lesquels existent ; cela prend environ une minute.',
    'only-some': 'Le contrôleur n’a créé que {made} coupons sur {count}.',
    none: 'Le contrôleur n’a pas répondu à temps et n’a rien créé.',
    'not-usable': 'Le contrôleur a créé des coupons sans code. Ils ont été bloqués.',
    'controller-removed': 'Le contrôleur a été supprimé avant que l’on puisse vérifier ce qu’il a créé.',
    'too-late': 'La commande n’a pas pu être enregistrée à temps. Rien n’a été créé.',
    'taken-by-others':
      'Les coupons ont été attribués à une autre commande. Le service vérifie s’il en existe d’autres.',
    'settings-unusable': 'Les paramètres du contrôleur sont inutilisables.',
    unexpected: 'Une erreur inattendue s’est produite.',
  },
  revocation: {
    'controller-removed': 'Le contrôleur a été supprimé et ne peut plus être interrogé.',
    'too-late': 'Il ne restait plus assez de temps. Réessayez.',
  },
  quote: {
    none: '',
    said: ' ({said})',
    status: ' (statut {status})',
    'said-status': ' ({said}, statut {status})',
  },
  named: { none: '', name: ' « {name} »' },
  seen: { none: '', fingerprint: ' ; son empreinte SHA-256 est {fingerprint}' },
  distrust: {
    'self-signed': 'est auto-signé',
    'unknown-ca': 'est signé par une autorité de certification inconnue',
    expired: 'a expiré : il était valable jusqu’au {validTo}',
    'not-yet-valid': 'n’est pas encore valable : il l’est à partir du {validFrom}',
    'host-name': 'ne vaut pas pour {host}, mais pour {names}',
    other: 'ne peut pas être vérifié : {code}',
  },
  failure: frenchFailures,
  failureDetail: frenchFailures,
  controllerProblem: {
    failed: '{failureDetail}',
    'credentials-sealed':
      'Les identifiants enregistrés ne peuvent pas être ouverts : ils ont été scellés avec une autre clé ou pour une autre adresse',
    url: 'L’adresse n’est pas permise : il en faut une en https, sans utilisateur, mot de passe ni paramètres, comme https://192.168.1.1',
    fingerprint: 'L’empreinte n’est pas valable : SHA-256 a 64 chiffres hexadécimaux',
    'ca-file': 'Le texte ne contient aucun certificat PEM',
    credentials: 'Les identifiants manquent ou ne correspondent pas à ce type',
    address: 'Ce type n’a pas d’adresse',
    trust: 'Soit une empreinte, soit une autorité de certification : pas les deux à la fois',
    settings: 'Les paramètres sont inutilisables',
    unexpected: 'Une erreur inattendue s’est produite',
  },
  remedy: {
    name: 'Vérifiez le nom, ou indiquez plutôt l’adresse IP',
    connection: 'Vérifiez l’adresse et le port, que le contrôleur fonctionne, et le pare-feu sur le chemin',
    timeout: 'Cherchez ce qui occupe le contrôleur, ou redémarrez-le s’il est bloqué',
    disconnected: 'Réessayez ; si cela se reproduit, cherchez un proxy sur le chemin',
    pin: 'Comparez l’empreinte avec celle que le contrôleur lui-même affiche, et épinglez-la si c’est la même',
    'unknown-ca': 'Indiquez le certificat de l’autorité de certification ; ou : {remedy}',
    expired:
      'Renouvelez le certificat sur le contrôleur, et vérifiez l’horloge de ce serveur ; ou : {remedy}',
    'not-yet-valid': 'Vérifiez les horloges du contrôleur et de ce serveur ; ou : {remedy}',
    'host-name': 'Utilisez une adresse pour laquelle il vaut ; ou : {remedy}',
    'other-certificate':
      'Cherchez pourquoi il a changé, et ne l’épinglez que si le contrôleur lui-même affiche la même empreinte',
    credentials: 'Saisissez à nouveau les identifiants',
    'two-factor': 'Créez sur le contrôleur un compte local sans second facteur, et utilisez-le',
    'locked-out': 'Attendez trois minutes et réessayez',
    permission:
      'Donnez au compte sur le contrôleur le droit de gérer les coupons ; pour UniFi, le rôle Hotspot ou Administrateur',
    site: 'Choisissez un autre site',
    bounds: 'Choisissez une autre valeur',
    throttled: 'Attendez une minute',
    'circuit-open': 'Cherchez pourquoi il est en panne ; il est interrogé à nouveau automatiquement',
    deadline: 'Cherchez pourquoi il est lent',
    update: 'Mettez à jour UniFi Network, ou choisissez le type « unifi-classic »',
    refused: 'Faites ce que dit le contrôleur, ou consultez son journal',
    unreadable:
      'Vérifiez que l’adresse est celle du contrôleur lui-même, ainsi que le type ; s’il démarre, réessayez dans une minute',
    'not-read': 'Cherchez le coupon sur le contrôleur',
  },
  advice: {
    'mikrotik-radius':
      'Les coupons sont créés dans User Manager, mais aucun hotspot de ce routeur n’interroge de serveur RADIUS. Saisissez sur le routeur, avec un secret à vous :',
    'mikrotik-user-manager':
      'User Manager est installé mais pas utilisé : les coupons sont donc créés comme utilisateurs du hotspot. Pour l’utiliser, saisissez sur le routeur :',
    'mikrotik-hotspot':
      'Ce routeur n’a pas de hotspot où les clients pourraient saisir un code. Pour en créer un, saisissez sur le routeur :',
    'radius-accounting':
      'Aucune comptabilisation n’est encore enregistrée : la table radacct est vide. Sans elle, durée, appareils et volume ne comptent jamais. Activez-la sur les points d’accès, et laissez « sql » dans la section accounting du serveur.',
    'radius-nas':
      'La table nas est vide : les clients en ligne ne peuvent donc pas être déconnectés quand leur coupon est bloqué. Ajoutez chaque point d’accès avec son adresse et son secret.',
    'radius-index':
      'La table radacct n’a pas d’index sur les noms d’utilisateur : chaque connexion et chaque synchronisation la lit en entier. Ajoutez-en un dans la base de données :',
    'radius-engine':
      'La table {table} utilise le moteur {engine}, qui ne connaît pas de transactions : une commande interrompue peut laisser une partie de ses coupons. Changez-le dans la base de données :',
    'radius-policy': 'Sur le serveur FreeRADIUS, si ce n’est pas déjà fait, enregistrez ceci sous {file} :',
    'radius-authorize':
      'Dans {file}, section authorize, ajoutez cette ligne au-dessus de « -sql » ou « sql ». Laissez « -sql » ou « sql » dans la section accounting : les utilisations et la durée en sont comptées.',
    'radius-restart': 'Redémarrez ensuite le serveur :',
  },
  connectionTest: {
    endpoint: '{address}, port {port}',
    addresses: '{addresses}',
    system: 'Le système le reconnaît',
    'own-ca': 'L’autorité de certification indiquée l’a signé',
    pinned: 'C’est celui qui est épinglé',
  },
  duration: { seconds: '{count} s', minutes: '{count} min', hours: '{count} h', days: '{count} jours' },
  demoValidity: {
    'for-ever': 'pour toujours',
    until: 'jusqu’au {time}, sauf si une démo en cours la prolonge',
  },
  sealed: {
    webhook: 'webhook « {name} »',
    controller: 'contrôleur « {name} »',
    'second-factor': 'second facteur de « {name} »',
    wifi: 'mot de passe Wi-Fi du site {site}',
    'order-codes': 'codes de la commande en cours « {name} »',
    'mail-server': 'mot de passe du serveur de messagerie',
    'identity-provider': 'secret client du fournisseur d’identité',
    'sms-provider': 'secret du fournisseur de SMS',
  },
  sealedRemedy: {
    webhook: 'supprimez le webhook',
    controller:
      'donnez-lui à nouveau ses identifiants : {command} (vérifiez d’abord que son adresse est juste : {address})',
    'controller-without-address':
      'donnez-lui à nouveau ses identifiants : {command} (vérifiez d’abord que son adresse est juste : aucune)',
    'second-factor': 'faites-le configurer à nouveau : {command}',
    wifi: 'saisissez à nouveau le mot de passe Wi-Fi sur la page Sites',
    'order-codes': 'démarrez le service avec la clé secrète qu’il avait lors de la commande',
    'mail-server': 'saisissez-le à nouveau sur la page E-mail',
    'identity-provider': 'saisissez-le à nouveau sur la page Utilisateurs',
    'sms-provider': 'saisissez-le à nouveau sur la page SMS',
  },
  finding: {
    'disk-free': '{free} libres',
    'disk-low': 'seulement {free} libres',
    'disk-not-writable': 'impossible d’écrire dans {dataDir}{code}',
    clock: '{time}, fuseau horaire {zone}',
    'email-off': 'non configuré : les coupons ne peuvent pas être envoyés par e-mail',
    'email-on': 'configuré, via {host}',
    'email-incomplete': 'incomplet : l’expéditeur ou le mot de passe du serveur de messagerie manque',
    'email-unusable': 'configuré, mais {host} n’est pas utilisable : {detail}',
    'sms-off': 'non configuré : les coupons ne peuvent pas être envoyés par SMS',
    'sms-on': 'configuré, via {host}',
    'sms-failed': 'configuré, via {host} ; dernier échec à {time} : {sms}',
    'sms-incomplete': 'incomplet : le secret du fournisseur manque',
    'single-sign-on-off': 'non configurée : les utilisateurs se connectent avec un mot de passe',
    'single-sign-on-on': 'configurée, chez {host}',
    'single-sign-on-unusable': 'configurée, mais personne ne peut se connecter chez {host} : {detail}',
    'single-sign-on-incomplete': 'incomplète : personne ne peut se connecter ainsi',
    'files-closed': 'aucun autre utilisateur de cette machine ne peut ouvrir les fichiers',
    'files-open': 'tout utilisateur de cette machine peut ouvrir ces fichiers : {files}',
    'files-none': 'il n’y a pas encore de fichiers : rien dans {dataDir}',
    'files-hidden':
      'cet utilisateur n’a pas le droit de regarder ici, on ne sait donc pas qui peut ouvrir les fichiers : {files}',
    'files-not-usable':
      'cet utilisateur ne peut pas ouvrir ces fichiers, ni personne d’autre que leur propriétaire : {files}',
    'keys-valid': 'valables : {count}',
    'keys-none': 'aucune',
    'sites-active': 'actifs : {count}',
    'sites-none': 'aucun actif',
    'demo-key': 'la clé {prefix} d’une démo est valable {demoValidity}',
    'demo-key-on-all-sites': 'la clé {prefix} d’une démo est valable {demoValidity}, sur tous les sites',
    'demo-key-on-real-sites':
      'la clé {prefix} d’une démo est valable {demoValidity}, sur tous les sites, y compris ceux de contrôleurs réels',
    'intents-none': 'aucune en suspens',
    'intents-open': 'en suspens : {count}, la plus ancienne depuis {duration}',
    'intents-overdue':
      'en suspens : {count}, la plus ancienne depuis {duration}, donc plus longtemps que {limit}',
    'secrets-open': 'tous ceux qui sont enregistrés peuvent être ouverts',
    'secrets-not-open': 'scellés avec une autre clé ou pour une autre adresse : {sealed}',
    'secrets-unknown': 'ils n’ont pas pu être vérifiés : la clé secrète ou la base de données est illisible',
    'controller-answers': 'répond',
    'controller-not-asked': 'pas encore interrogé',
    'controller-silent': 'ne répond pas',
    'controller-failing': '{controllerProblem}',
    'webhook-switched-off': '{name} a été désactivé : {attempt}',
    'delivery-failed':
      '1 envoi définitivement échoué ces 7 derniers jours, le dernier à {name}, {time} : {attempt}',
    'deliveries-failed':
      '{count} envois définitivement échoués ces 7 derniers jours, le dernier à {name}, {time} : {attempt}',
    'deliveries-waiting':
      'des envois à {name} attendent depuis {duration}, après {tries} tentatives : {attempt}',
    'webhooks-fine': 'tous fonctionnent',
    'not-checked': 'n’a pas pu être vérifié',
  },
  findingRemedy: {
    'disk-low': 'libérez au moins 200 Mo sur le disque de {dataDir}',
    'disk-not-writable': 'laissez cet utilisateur écrire dans {dataDir}, ou définissez DATA_DIR',
    'other-user': 'exécutez la commande en tant qu’utilisateur du service, ou en tant que root',
    clock: 'réglez l’horloge de cette machine',
    'email-off':
      'pour envoyer des e-mails, configurez un serveur de messagerie sur la page E-mail, ou définissez SMTP_URL et MAIL_FROM',
    'email-incomplete': 'complétez-le sur la page E-mail, ou définissez SMTP_URL et MAIL_FROM',
    'email-unusable': 'vérifiez SMTP_URL ou la page E-mail, et envoyez-y un e-mail de test',
    'sms-off': 'pour envoyer des SMS, configurez un fournisseur sur la page SMS, ou définissez SMS_PROVIDER',
    'sms-incomplete': 'saisissez le secret sur la page SMS',
    'single-sign-on-off':
      'pour l’utiliser, configurez-la sur la page Utilisateurs, ou définissez OIDC_ISSUER, OIDC_CLIENT_ID et OIDC_CLIENT_SECRET',
    'single-sign-on-incomplete':
      'complétez-la sur la page Utilisateurs, qui dit ce qui manque, ou définissez les variables OIDC_…',
    'single-sign-on-unusable':
      'testez-la sur la page Utilisateurs ; un utilisateur avec mot de passe peut toujours se connecter',
    'demo-key': 'arrêtez la démo, puis : {command}',
    intents: 'le service les règle tant qu’il fonctionne et atteint leur contrôleur : voir là-bas',
    'secrets-not-open':
      'remettez cette clé en place (SECRET_KEY, SECRET_KEY_FILE ou secret.key dans DATA_DIR), ou {sealedRemedy}',
    'secrets-unknown': 'remettez en place SECRET_KEY, SECRET_KEY_FILE ou secret.key dans DATA_DIR',
    controller: 'testez-le sur la page Contrôleurs',
    'webhook-switched-off': 'réactivez-le ou supprimez-le : {command}',
    'deliveries-failed':
      'voyez ce qui a échoué et corrigez la cause : {list}\nrenvoyez ce qui est encore voulu : {resend}',
    'not-checked': 'consultez le journal du service',
  },
} as const satisfies TextTable;
