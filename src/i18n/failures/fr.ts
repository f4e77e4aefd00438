import type { FailureTable } from './en.js';

/**
 * Why a call of a controller failed. The operator reads the same in French; the log and the command line are
 * English.
 */
export const frenchFailures = {
  'unreachable-refused': 'Le contrôleur{named} est injoignable : la connexion a été refusée',
  'unreachable-reset': 'Le contrôleur{named} est injoignable : la connexion a été interrompue',
  'unreachable-unknown-host': 'Le contrôleur{named} est injoignable : son nom est inconnu',
  'unreachable-name-service': 'Le contrôleur{named} est injoignable : le service de noms ne répond pas',
  'unreachable-no-route': 'Le contrôleur{named} est injoignable : aucune route n’y mène',
  'unreachable-timeout': 'Le contrôleur{named} est injoignable : la connexion n’a pas été établie à temps',
  'unreachable-tls': 'Le contrôleur{named} est injoignable : la négociation TLS a échoué',
  'unreachable-closed': 'La connexion au contrôleur{named} est fermée',
  'unreachable-other': 'Le contrôleur{named} est injoignable : la connexion n’a pas pu être établie',
  timeout: 'Le contrôleur{named} n’a pas répondu à temps',
  'timeout-within': 'Le contrôleur{named} n’a pas répondu en {seconds} s',
  disconnected: 'La connexion au contrôleur{named} s’est interrompue avant la fin de sa réponse',
  'certificate-self-signed': 'Le certificat du contrôleur{named} n’est pas reconnu : il est auto-signé',
  'certificate-unknown-ca':
    'Le certificat du contrôleur{named} n’est pas reconnu : son autorité de certification est inconnue',
  'certificate-expired': 'Le certificat du contrôleur{named} a expiré (valable jusqu’au {validTo})',
  'certificate-not-yet-valid':
    'Le certificat du contrôleur{named} n’est pas encore valable (seulement à partir du {validFrom})',
  'certificate-host-name': 'Le certificat du contrôleur{named} ne vaut pas pour son adresse',
  'certificate-other': 'Le certificat du contrôleur{named} n’est pas reconnu ({code})',
  'other-certificate': 'Le contrôleur{named} présente un autre certificat que celui épinglé',
  'credentials-api-key': 'Le contrôleur{named} n’accepte pas la clé API{quote}',
  'credentials-client': 'Le contrôleur{named} n’accepte pas l’ID client ou son secret{quote}',
  'credentials-account':
    'Le contrôleur{named} refuse l’utilisateur ou le mot de passe ; prochaine tentative dans {seconds} s au plus tôt',
  'two-factor':
    'Le compte sur le contrôleur{named} demande un second facteur. Créez sur le contrôleur un compte local sans second facteur, avec le rôle Hotspot ou Administrateur, et utilisez-le',
  'locked-out':
    'Le contrôleur{named} n’accepte plus de connexion pour le moment, après trop de tentatives ; prochaine tentative dans {seconds} s',
  'permission-api-key': 'La clé API pour le contrôleur{named} n’a pas ce droit{quote}',
  'permission-client': 'L’application sur le contrôleur{named} n’a pas ce droit{quote}',
  'permission-account':
    'Le compte sur le contrôleur{named} n’a pas ce droit. Il lui faut le rôle Hotspot ou Administrateur{quote}',
  'site-unknown': 'Le contrôleur{named} ne connaît pas ce site{quote}',
  'site-not-listed': 'Le contrôleur{named} ne connaît pas le site configuré',
  'site-several': 'Le contrôleur{named} a plusieurs sites, et aucun n’est configuré',
  'bounds-value': '{field} : le contrôleur{named} n’accepte pas {value}, seulement de {from} à {to}',
  'bounds-not-kept': '{field} : le contrôleur{named} ne peut pas le limiter',
  'bounds-count': 'Le contrôleur{named} crée de {from} à {to} coupons à la fois',
  'bounds-unnamed': 'Le contrôleur{named} a refusé une valeur de la commande{quote}',
  throttled: 'Le contrôleur{named} est interrogé trop souvent ; attendez {seconds} s',
  'circuit-open':
    'Le contrôleur{named} n’a pas répondu plusieurs fois de suite ; il est vérifié à nouveau dans {seconds} s',
  deadline: 'Il ne restait plus de temps pour le contrôleur{named} ; il n’a pas été interrogé',
  'refused-request': 'Le contrôleur{named} a refusé la requête{quote}',
  'refused-order': 'Le contrôleur{named} a refusé la commande{quote}',
  'refused-login': 'Le contrôleur{named} a refusé la connexion{quote}',
  'refused-session': 'Le contrôleur{named} exige une nouvelle connexion juste après la première{quote}',
  'refused-csrf': 'Le contrôleur{named} n’accepte aucune modification avec cette connexion (CSRF)',
  'refused-too-old': 'Le contrôleur{named} est trop ancien : UniFi Network {version}, il faut {needed}',
  'refused-no-vouchers':
    'Le contrôleur{named} ne connaît pas de coupons sur ce site ; il faut UniFi Network {needed}',
  'unreadable-answer': 'La réponse du contrôleur{named} est illisible{quote}',
  'unreadable-too-large': 'La réponse du contrôleur{named} est trop volumineuse{quote}',
  'unreadable-redirect': 'Le contrôleur{named} redirige vers une autre adresse{quote}',
  'unreadable-faulty': 'Le contrôleur{named} est en panne{quote}',
  'unreadable-starting': 'Le contrôleur{named} démarre ou est en panne{quote}',
  'unreadable-login': 'Le contrôleur{named} démarre ou est en panne : il ne répond pas à la connexion{quote}',
  'unreadable-no-session': 'La connexion au contrôleur{named} n’a pas ouvert de session{quote}',
  'unreadable-no-unifi': 'Aucun UniFi ne répond à l’adresse du contrôleur{named}{quote}',
  'unreadable-no-unifi-network': 'Aucun UniFi Network ne répond à l’adresse du contrôleur{named}{quote}',
  'unreadable-no-integration-api':
    'Aucune Integration API ne répond à l’adresse du contrôleur{named} ; il faut UniFi Network {needed}{quote}',
  'unreadable-no-version': 'Le contrôleur{named} n’indique pas sa version{quote}',
  'unreadable-list': 'La liste du contrôleur{named} est illisible{quote}',
  'unreadable-list-changing': 'La liste du contrôleur{named} change trop vite{quote}',
  'unreadable-list-incomplete': 'La liste du contrôleur{named} est incomplète{quote}',
  'unreadable-voucher': 'Un coupon du contrôleur{named} est illisible{quote}',
  'unreadable-no-code': 'Le contrôleur{named} a fourni un coupon sans code{quote}',
  'not-read': 'Le coupon est créé sur le contrôleur{named}, mais n’a pas pu être lu : une erreur',
  'not-read-not-listed':
    'Le coupon est créé sur le contrôleur{named}, mais n’a pas pu être lu : il n’y figure pas encore',
  'not-read-cause': 'Le coupon est créé sur le contrôleur{named}, mais n’a pas pu être lu : {cause}',
} as const satisfies FailureTable;
