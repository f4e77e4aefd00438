import type { en } from './en.js';

/** The same kinds and codes as in English. */
type TextTable = {
  readonly [Kind in keyof typeof en]: Readonly<Record<keyof (typeof en)[Kind], string>>;
};

/** Why a call of a controller failed. The operator reads the same in Spanish; the log and the command line are English. */
const failure = {
  'unreachable-refused': 'No se puede acceder al controlador{named}: se ha rechazado la conexión',
  'unreachable-reset': 'No se puede acceder al controlador{named}: se ha cortado la conexión',
  'unreachable-unknown-host': 'No se puede acceder al controlador{named}: el nombre es desconocido',
  'unreachable-name-service': 'No se puede acceder al controlador{named}: el servicio de nombres no responde',
  'unreachable-no-route': 'No se puede acceder al controlador{named}: no hay ninguna ruta hasta él',
  'unreachable-timeout':
    'No se puede acceder al controlador{named}: la conexión no se ha establecido a tiempo',
  'unreachable-tls': 'No se puede acceder al controlador{named}: la negociación TLS ha fallado',
  'unreachable-closed': 'La conexión con el controlador{named} está cerrada',
  'unreachable-other': 'No se puede acceder al controlador{named}: no se ha podido establecer la conexión',
  timeout: 'El controlador{named} no ha respondido a tiempo',
  'timeout-within': 'El controlador{named} no ha respondido en {seconds} s',
  disconnected: 'La conexión con el controlador{named} se ha cortado antes de que respondiera del todo',
  'certificate-self-signed':
    'El certificado del controlador{named} no es de confianza: está firmado por él mismo',
  'certificate-unknown-ca':
    'El certificado del controlador{named} no es de confianza: su autoridad de certificación es desconocida',
  'certificate-expired': 'El certificado del controlador{named} ha caducado (válido hasta {validTo})',
  'certificate-not-yet-valid':
    'El certificado del controlador{named} aún no es válido (lo será a partir de {validFrom})',
  'certificate-host-name': 'El certificado del controlador{named} no es válido para su dirección',
  'certificate-other': 'El certificado del controlador{named} no es de confianza ({code})',
  'other-certificate': 'El controlador{named} muestra un certificado distinto del fijado',
  'credentials-api-key': 'El controlador{named} no acepta la clave API{quote}',
  'credentials-account':
    'El controlador{named} ha rechazado el usuario o la contraseña; próximo intento, como pronto, en {seconds} s',
  'two-factor':
    'La cuenta del controlador{named} pide un segundo factor. Cree en el controlador una cuenta local sin segundo factor, con el rol de hotspot o de administrador, y use esa',
  'locked-out':
    'El controlador{named} no admite por ahora más inicios de sesión, porque ha habido demasiados; próximo intento en {seconds} s',
  'permission-api-key': 'La clave API para el controlador{named} no tiene permiso para esto{quote}',
  'permission-account':
    'La cuenta del controlador{named} no tiene permiso para esto. Necesita allí el rol de hotspot o de administrador{quote}',
  'site-unknown': 'El controlador{named} no conoce esta sede{quote}',
  'site-not-listed': 'El controlador{named} no conoce la sede configurada',
  'site-several': 'El controlador{named} tiene varias sedes y no está configurado cuál se usa',
  'bounds-value': '{field}: el controlador{named} no acepta {value}, solo de {from} a {to}',
  'bounds-count': 'El controlador{named} crea de {from} a {to} vales a la vez',
  'bounds-unnamed': 'El controlador{named} ha rechazado un valor del pedido{quote}',
  throttled: 'Se consulta demasiado a menudo al controlador{named}; espere {seconds} s',
  'circuit-open':
    'El controlador{named} no ha respondido varias veces seguidas; se comprobará de nuevo en {seconds} s',
  deadline: 'No quedó tiempo para el controlador{named}; no se le ha consultado',
  'refused-request': 'El controlador{named} ha rechazado la solicitud{quote}',
  'refused-order': 'El controlador{named} ha rechazado el pedido{quote}',
  'refused-login': 'El controlador{named} ha rechazado el inicio de sesión{quote}',
  'refused-session': 'El controlador{named} pide otro inicio de sesión justo después del primero{quote}',
  'refused-csrf': 'El controlador{named} no acepta cambios con este inicio de sesión (CSRF)',
  'refused-too-old':
    'El controlador{named} es demasiado antiguo: UniFi Network {version}, se necesita {needed}',
  'refused-no-vouchers':
    'El controlador{named} no conoce vales en esta sede; se necesita UniFi Network {needed}',
  'unreadable-answer': 'La respuesta del controlador{named} no se puede leer{quote}',
  'unreadable-too-large': 'La respuesta del controlador{named} es demasiado grande{quote}',
  'unreadable-redirect': 'El controlador{named} redirige a otra dirección{quote}',
  'unreadable-faulty': 'El controlador{named} está averiado{quote}',
  'unreadable-starting': 'El controlador{named} está arrancando o averiado{quote}',
  'unreadable-login':
    'El controlador{named} está arrancando o averiado: no responde al inicio de sesión{quote}',
  'unreadable-no-session': 'El inicio de sesión en el controlador{named} no ha abierto ninguna sesión{quote}',
  'unreadable-no-unifi': 'En la dirección del controlador{named} no responde ningún UniFi{quote}',
  'unreadable-no-unifi-network':
    'En la dirección del controlador{named} no responde ningún UniFi Network{quote}',
  'unreadable-no-integration-api':
    'En la dirección del controlador{named} no responde ninguna Integration API; se necesita UniFi Network {needed}{quote}',
  'unreadable-no-version': 'El controlador{named} no indica su versión{quote}',
  'unreadable-list': 'La lista del controlador{named} no se puede leer{quote}',
  'unreadable-list-changing': 'La lista del controlador{named} cambia demasiado rápido{quote}',
  'unreadable-list-incomplete': 'La lista del controlador{named} está incompleta{quote}',
  'unreadable-voucher': 'Un vale del controlador{named} no se puede leer{quote}',
  'unreadable-no-code': 'El controlador{named} ha creado un vale sin código{quote}',
  'not-read': 'El vale está creado en el controlador{named}, pero no se ha podido leer: error',
  'not-read-not-listed':
    'El vale está creado en el controlador{named}, pero no se ha podido leer: aún no aparece en la lista',
  'not-read-cause': 'El vale está creado en el controlador{named}, pero no se ha podido leer: {cause}',
} as const;

/** What the service says to people in Spanish. */
export const es = {
  addressKind: {
    unspecified: 'una dirección sin especificar',
    loopback: 'una dirección de este mismo equipo',
    private: 'una dirección privada',
    'link-local': 'una dirección solo para la red local',
    provider: 'una dirección de la red de un proveedor',
    cloud: 'una dirección de la red de una nube',
    documentation: 'una dirección para ejemplos',
    benchmark: 'una dirección para mediciones',
    multicast: 'una dirección multicast',
    reserved: 'una dirección reservada',
    'ipv4-in-ipv6': 'una dirección IPv4 dentro de IPv6',
    'this-machine': 'este equipo',
    none: 'ninguna dirección',
  },
  attempt: {
    redirected: 'ha respondido {status}, una redirección',
    answered: 'ha respondido {status}',
    'answered-code': 'ha respondido {status} ({code})',
    throttled: 'por ahora no acepta más (429)',
    refused: 'conexión rechazada',
    reset: 'conexión cortada',
    'unknown-host': 'el nombre no existe',
    'name-service': 'el servicio de nombres no responde',
    unreachable: 'inaccesible',
    'no-connection': 'sin conexión',
    'no-http': 'la respuesta no es HTTP',
    tls: 'TLS ha fallado: {code}',
    certificate: 'el certificado no es de confianza: {code}',
    timeout: 'sin respuesta en {seconds} s',
    other: 'la solicitud ha fallado',
    'address-internal': '{host} es {addressKind}; para permitirla, indíquela en WEBHOOK_ALLOW_PRIVATE',
    'name-internal':
      '{host} lleva a {address}, que es {addressKind}; para permitirla, indíquela en WEBHOOK_ALLOW_PRIVATE',
    'address-malformed': 'no es una dirección de la forma https://host/ruta',
    'address-protocol': 'solo se permiten https:// y http://',
    'address-credentials': 'no se permite un nombre de usuario ni una contraseña en la dirección',
    text: '{text}',
  },
  email: {
    credentials: 'el servidor de correo no acepta las credenciales',
    answered: 'respuesta del servidor de correo: {answer}',
    'no-answer': 'el servidor de correo no responde',
    'unknown-host': 'el nombre del servidor de correo no se puede resolver',
    'host-refused':
      'el nombre del servidor de correo lleva a una dirección que no tiene ningún servidor de correo',
    'not-set-up': 'no hay ningún servidor de correo',
    'recipient-gone': 'ya no es para este usuario',
    'too-late': 'ya nadie lo espera',
    'no-connection': 'sin conexión con el servidor de correo ({code})',
    disconnected: 'el servidor de correo ha cortado la conexión',
    tls: 'sin conexión cifrada con el servidor de correo ({code})',
    'not-confirmed':
      'el servidor de correo no ha confirmado el correo: es posible que se haya enviado igualmente',
    stopping: 'el servicio se está deteniendo',
    'voucher-missing': 'ese vale no existe',
    'voucher-ended': 'el vale ya no es válido',
    other: 'el servidor de correo no se puede usar ({code})',
    unexpected: 'ha ocurrido un error inesperado',
    text: '{text}',
  },
  order: {
    'not-shown':
      'El controlador ha mostrado {shown} de {count} vales. Se está comprobando cuáles existen; tarda alrededor de un minuto.',
    'only-some': 'El controlador solo ha creado {made} de {count} vales.',
    none: 'El controlador no ha respondido a tiempo y no ha creado nada.',
    'not-usable': 'El controlador ha creado vales sin código. Se han bloqueado.',
    'controller-removed': 'El controlador se eliminó antes de poder comprobar qué había creado.',
    'too-late': 'El pedido no se pudo guardar a tiempo. No se ha creado nada.',
    'taken-by-others': 'Los vales se registraron para otro pedido. Se está comprobando cuáles quedan.',
    'settings-unusable': 'Los ajustes del controlador no se pueden usar.',
    unexpected: 'Ha ocurrido un error inesperado.',
  },
  revocation: {
    'controller-removed': 'El controlador se eliminó y ya no se le puede consultar.',
    'too-late': 'No quedó tiempo para ello. Inténtelo de nuevo.',
  },
  quote: {
    none: '',
    said: ' («{said}»)',
    status: ' (estado {status})',
    'said-status': ' («{said}», estado {status})',
  },
  named: { none: '', name: ' «{name}»' },
  seen: { none: '', fingerprint: '; su huella digital SHA-256 es {fingerprint}' },
  distrust: {
    'self-signed': 'está firmado por él mismo',
    'unknown-ca': 'está firmado por una autoridad de certificación desconocida',
    expired: 'ha caducado: era válido hasta {validTo}',
    'not-yet-valid': 'aún no es válido: lo será a partir de {validFrom}',
    'host-name': 'no es para {host}, sino para {names}',
    other: 'no se puede verificar: {code}',
  },
  failure,
  failureDetail: failure,
  controllerProblem: {
    failed: '{failureDetail}',
    'credentials-sealed':
      'Las credenciales guardadas no se pueden abrir: se sellaron con otra clave o para otra dirección',
    url: 'La dirección no está permitida: debe ser una con https, sin usuario, contraseña ni parámetros, como https://192.168.1.1',
    fingerprint: 'La huella digital no es válida: SHA-256 tiene 64 cifras hexadecimales',
    'ca-file': 'El texto no contiene ningún certificado en formato PEM',
    credentials: 'Faltan las credenciales o no corresponden a este tipo',
    address: 'Este tipo no tiene dirección',
    trust: 'Una huella digital o una autoridad de certificación: ambas a la vez no es posible',
    settings: 'Los ajustes no se pueden usar',
    unexpected: 'Ha ocurrido un error inesperado',
  },
  remedy: {
    name: 'Compruebe el nombre o indique en su lugar la dirección IP',
    connection:
      'Compruebe la dirección y el puerto, que el controlador esté en marcha, y el cortafuegos que haya en medio',
    timeout: 'Averigüe qué mantiene ocupado al controlador, o reinícielo si está bloqueado',
    disconnected: 'Inténtelo de nuevo; si se repite, busque un proxy en medio',
    pin: 'Compare la huella digital con la que muestra el propio controlador y fíjela si es la misma',
    'unknown-ca': 'Indique el certificado de la autoridad de certificación; o bien: {remedy}',
    expired:
      'Renueve el certificado en el controlador y compruebe el reloj de este servidor; o bien: {remedy}',
    'not-yet-valid': 'Compruebe los relojes del controlador y de este servidor; o bien: {remedy}',
    'host-name': 'Use una dirección para la que sea válido; o bien: {remedy}',
    'other-certificate':
      'Averigüe por qué ha cambiado y fíjelo solo si el propio controlador muestra la misma huella digital',
    credentials: 'Introduzca de nuevo las credenciales',
    'two-factor': 'Cree en el controlador una cuenta local sin segundo factor y use esa',
    'locked-out': 'Espere tres minutos e inténtelo de nuevo',
    permission: 'Dé a la cuenta del controlador el rol de hotspot o de administrador',
    site: 'Elija otra sede',
    bounds: 'Elija otro valor',
    throttled: 'Espere un minuto',
    'circuit-open': 'Averigüe por qué falla; se reintenta automáticamente',
    deadline: 'Averigüe por qué es lento',
    update: 'Actualice UniFi Network o elija el tipo «unifi-classic»',
    refused: 'Haga lo que indica el controlador o consulte su propio registro',
    unreadable:
      'Compruebe que la dirección sea la de la propia consola, y el tipo; si está arrancando, inténtelo de nuevo en un minuto',
    'not-read': 'Busque el vale en el controlador',
  },
  connectionTest: {
    endpoint: '{address}, puerto {port}',
    addresses: '{addresses}',
    system: 'El sistema confía en él',
    'own-ca': 'Lo ha firmado la autoridad de certificación indicada',
    pinned: 'Es el fijado',
  },
  duration: { seconds: '{count} s', minutes: '{count} min', hours: '{count} h', days: '{count} días' },
  demoValidity: {
    'for-ever': 'para siempre',
    until: 'hasta {time}, si ninguna demo en marcha la prolonga',
  },
  sealed: {
    webhook: 'webhook «{name}»',
    controller: 'controlador «{name}»',
    'second-factor': 'segundo factor de «{name}»',
    wifi: 'contraseña Wi-Fi de la sede {site}',
    'mail-server': 'contraseña del servidor de correo',
    'identity-provider': 'secreto de cliente del proveedor de identidad',
  },
  sealedRemedy: {
    webhook: 'elimine el webhook',
    controller:
      'indique de nuevo sus credenciales: {command} (compruebe antes que su dirección sea correcta: {address})',
    'controller-without-address':
      'indique de nuevo sus credenciales: {command} (compruebe antes que su dirección sea correcta: ninguna)',
    'second-factor': 'haga que se configure de nuevo: {command}',
    wifi: 'introduzca de nuevo la contraseña Wi-Fi en la página Sedes',
    'mail-server': 'introdúzcala de nuevo en la página Correo',
    'identity-provider': 'introdúzcalo de nuevo en la página Usuarios',
  },
  finding: {
    'disk-free': '{free} MiB libres',
    'disk-low': 'solo {free} MiB libres',
    'disk-not-writable': 'no se puede escribir en {dataDir}{code}',
    clock: '{time}, zona horaria {zone}',
    'email-off': 'sin configurar: los vales no se pueden enviar por correo',
    'email-on': 'configurado, a través de {host}',
    'email-incomplete': 'incompleto: falta el remitente o la contraseña del servidor de correo',
    'files-closed': 'ningún otro usuario de este equipo puede abrir los archivos',
    'files-open': 'cualquier usuario de este equipo puede abrir estos archivos: {files}',
    'files-none': 'aún no hay archivos: nada en {dataDir}',
    'files-hidden':
      'este usuario no puede comprobarlo, así que no se sabe quién puede abrir los archivos: {files}',
    'files-not-usable':
      'este usuario no puede abrir estos archivos, y aparte de su propietario tampoco nadie más: {files}',
    'keys-valid': 'válidas: {count}',
    'keys-none': 'ninguna',
    'sites-active': 'activas: {count}',
    'sites-none': 'ninguna activa',
    'demo-key': 'la clave {prefix} de una demo es válida {demoValidity}',
    'demo-key-on-all-sites': 'la clave {prefix} de una demo es válida {demoValidity}, en todas las sedes',
    'demo-key-on-real-sites':
      'la clave {prefix} de una demo es válida {demoValidity}, en todas las sedes, también en las de controladores reales',
    'intents-none': 'ninguno pendiente',
    'intents-open': 'pendientes: {count}, el más antiguo desde hace {duration}',
    'intents-overdue': 'pendientes: {count}, el más antiguo desde hace {duration}, es decir, más de {limit}',
    'secrets-earlier-form': 'algunos tienen la forma de una versión anterior',
    'secrets-open': 'todos los secretos guardados se pueden abrir',
    'secrets-not-open': 'sellados con otra clave o para otra dirección: {sealed}',
    'secrets-unknown': 'no se han podido comprobar: la clave secreta o la base de datos no se puede leer',
    'controller-answers': 'responde',
    'controller-not-asked': 'aún no se ha consultado',
    'controller-silent': 'no responde',
    'controller-failing': '{controllerProblem}',
    'webhook-switched-off': '{name} se ha desactivado: {attempt}',
    'delivery-failed': '1 entrega fallida definitivamente en los últimos 7 días, a {name}, {time}: {attempt}',
    'deliveries-failed':
      '{count} entregas fallidas definitivamente en los últimos 7 días, la última a {name}, {time}: {attempt}',
    'deliveries-waiting':
      'las entregas a {name} esperan desde hace {duration}, tras {tries} intentos: {attempt}',
    'webhooks-fine': 'ninguno falla',
    'not-checked': 'no se ha podido comprobar',
  },
  findingRemedy: {
    command: '{command}',
    'disk-low': 'libere al menos 200 MiB en el disco de {dataDir}',
    'disk-not-writable': 'permita que este usuario escriba en {dataDir}, o defina DATA_DIR',
    'other-user': 'ejecute el comando como el usuario del servicio, o como root',
    clock: 'ponga en hora el reloj de este equipo',
    'email-off':
      'para enviar correos, configure un servidor de correo en la página Correo, o defina SMTP_URL y MAIL_FROM',
    'email-incomplete': 'complételo en la página Correo, o defina SMTP_URL y MAIL_FROM',
    'demo-key': 'detenga la demo y después: {command}',
    intents: 'el servicio los resuelve mientras está en marcha y puede acceder a su controlador: véase allí',
    'unbound-secrets': 'detenga todos los servicios de esa versión y después: {command}',
    'restored-secrets':
      'si se restauró una copia de la base de datos, elimine primero {file} y después: {command}',
    'secrets-not-open':
      'restituya esa clave (SECRET_KEY, SECRET_KEY_FILE o secret.key en DATA_DIR), o {sealedRemedy}',
    'secrets-unknown': 'restituya SECRET_KEY, SECRET_KEY_FILE o secret.key en DATA_DIR',
    controller: 'pruébelo en la página Controladores',
    'webhook-switched-off': '{command}, o elimínelo',
    'deliveries-failed':
      'vea qué ha fallado y corrija la causa: {list}\nenvíe de nuevo lo que aún se necesite: {resend}',
    'not-checked': 'consulte el log del servicio',
  },
} as const satisfies TextTable;
