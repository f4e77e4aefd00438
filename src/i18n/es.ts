import { spanishCsvHeadings } from './csvHeadings.js';
import type { TextTable } from './en.js';
import { spanishFailures } from './failures/es.js';
import { spanishNotifications } from './notificationTexts.js';
import { spanishSmsReasons } from './smsReasons.js';

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
      'el nombre del servidor de correo lleva a una dirección que ningún servidor de correo puede tener',
    'not-set-up': 'no hay ningún servidor de correo',
    'recipient-gone': 'ya no es para este usuario',
    'too-late': 'ya nadie lo espera',
    'no-connection': 'sin conexión con el servidor de correo ({code})',
    disconnected: 'el servidor de correo ha cortado la conexión',
    tls: 'sin conexión cifrada con el servidor de correo ({code})',
    'no-starttls':
      'el servidor de correo no ofrece STARTTLS: elija otro cifrado, por ejemplo TLS desde el principio con el puerto 465',
    'certificate-name':
      'el certificado del servidor de correo es para otro nombre: introduzca el nombre que indica el proveedor, no una dirección IP ni otro nombre',
    'certificate-expired': 'el certificado del servidor de correo ha caducado: hay que renovarlo allí',
    'certificate-early':
      'el certificado del servidor de correo aún no es válido: compruebe los relojes de ambos equipos',
    'certificate-untrusted':
      'el certificado del servidor de correo no lo ha emitido una autoridad que este equipo conozca: NODE_EXTRA_CA_CERTS puede indicar el archivo de su propia autoridad',
    'tls-failed':
      'el servidor de correo no responde con TLS ({code}): probablemente el puerto y el cifrado no se corresponden; TLS desde el principio suele usar el puerto 465, STARTTLS el puerto 587',
    'tls-silent':
      'el servidor de correo acepta la conexión, pero no completa el cifrado: probablemente el puerto y el cifrado no se corresponden; TLS desde el principio suele usar el puerto 465, STARTTLS el puerto 587',
    'no-greeting':
      'el servidor de correo acepta la conexión, pero no se presenta: probablemente el puerto y el cifrado no se corresponden; TLS desde el principio suele usar el puerto 465, STARTTLS el puerto 587',
    'not-confirmed':
      'el servidor de correo no ha confirmado el correo: es posible que se haya enviado igualmente',
    stopping: 'el servicio se está deteniendo',
    'voucher-missing': 'ese vale no existe',
    'voucher-ended': 'el vale ya no es válido',
    other: 'el servidor de correo no se puede usar ({code})',
    unexpected: 'ha ocurrido un error inesperado',
    text: '{text}',
  },
  csvHeading: spanishCsvHeadings,
  notification: spanishNotifications,
  sms: spanishSmsReasons,
  order: {
    'not-shown':
      'El controlador ha mostrado {shown} de {count} vales. Se está comprobando cuáles existen; tarda alrededor de un minuto.',
    'only-some': 'El controlador solo ha creado {made} de {count} vales.',
    none: 'El controlador no ha respondido a tiempo y no ha creado nada.',
    'not-usable': 'El controlador ha creado vales sin código. Se han anulado.',
    'controller-removed': 'El controlador se eliminó antes de poder comprobar qué había creado.',
    'too-late': 'El pedido no se pudo guardar a tiempo. No se ha creado nada.',
    'taken-by-others':
      'Los vales se registraron para otro pedido. Se está comprobando qué otros vales existen.',
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
    'self-signed': 'es autofirmado',
    'unknown-ca': 'está firmado por una autoridad de certificación desconocida',
    expired: 'ha caducado: era válido hasta {validTo}',
    'not-yet-valid': 'aún no es válido: lo será a partir de {validFrom}',
    'host-name': 'no es para {host}, sino para {names}',
    other: 'no se puede verificar: {code}',
  },
  failure: spanishFailures,
  failureDetail: spanishFailures,
  controllerProblem: {
    failed: '{failureDetail}',
    'credentials-sealed':
      'Las credenciales guardadas no se pueden abrir: se sellaron con otra clave o para otra dirección',
    url: 'La dirección no está permitida: debe usar https y no llevar usuario, contraseña ni parámetros, como https://192.168.1.1',
    fingerprint: 'La huella digital no es válida: SHA-256 tiene 64 cifras hexadecimales',
    'ca-file': 'El texto no contiene ningún certificado en formato PEM',
    credentials: 'Faltan las credenciales o no corresponden a este tipo',
    address: 'Este tipo no tiene dirección',
    trust: 'Una huella digital o una autoridad de certificación, pero no ambas a la vez',
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
    permission:
      'Dé a la cuenta del controlador el permiso de gestionar vales: en UniFi, el rol de hotspot o de administrador',
    site: 'Elija otra sede',
    bounds: 'Elija otro valor',
    throttled: 'Espere un minuto',
    'circuit-open': 'Averigüe por qué falla; se reintenta automáticamente',
    deadline: 'Averigüe por qué es lento',
    update: 'Actualice UniFi Network o elija el tipo «unifi-classic»',
    refused: 'Haga lo que indica el controlador o consulte su log',
    unreadable:
      'Compruebe que la dirección sea la del propio controlador, y el tipo; si está arrancando, inténtelo de nuevo en un minuto',
    'not-read': 'Busque el vale en el controlador',
  },
  advice: {
    'mikrotik-radius':
      'Los vales se crean en User Manager, pero ningún hotspot de este router consulta un servidor RADIUS. Introduzca en el router, con un secreto propio:',
    'mikrotik-user-manager':
      'User Manager está instalado pero no se usa, así que los vales se crean como usuarios del hotspot. Para usarlo, introduzca en el router:',
    'mikrotik-hotspot':
      'Este router no tiene ningún hotspot donde los clientes puedan escribir un código. Para configurarlo, introduzca en el router:',
    'radius-accounting':
      'Aún no se ha registrado ninguna contabilidad: la tabla radacct está vacía. Sin ella no cuentan el tiempo, los dispositivos ni el volumen. Actívela en los puntos de acceso y deje «sql» en la sección accounting del servidor.',
    'radius-nas':
      'La tabla nas está vacía, por lo que los clientes conectados no pueden desconectarse al bloquear su vale. Añada cada punto de acceso con su dirección y su secreto.',
    'radius-index':
      'La tabla radacct no tiene índice para los nombres de usuario, así que cada inicio de sesión y cada sincronización la lee entera. Añádalo en la base de datos:',
    'radius-engine':
      'La tabla {table} usa el motor {engine}, que no conoce transacciones: un pedido interrumpido puede dejar parte de sus vales. Cámbielo en la base de datos:',
    'radius-policy': 'En el servidor FreeRADIUS, si aún no se ha hecho, guarde esto como {file}:',
    'radius-authorize':
      'En {file}, en la sección authorize, añada esta línea encima de «-sql» o «sql». Deje «-sql» o «sql» en la sección accounting: de ella se cuentan los usos y el tiempo.',
    'radius-restart': 'Después, reinicie el servidor:',
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
    'order-codes': 'códigos del pedido pendiente «{name}»',
    'mail-server': 'contraseña del servidor de correo',
    'identity-provider': 'secreto de cliente del proveedor de identidad',
    'sms-provider': 'secreto del proveedor de SMS',
  },
  sealedRemedy: {
    webhook: 'elimine el webhook',
    controller:
      'indique de nuevo sus credenciales: {command} (compruebe antes que su dirección sea correcta: {address})',
    'controller-without-address':
      'indique de nuevo sus credenciales: {command} (compruebe antes que su dirección sea correcta: ninguna)',
    'second-factor': 'haga que se configure de nuevo: {command}',
    wifi: 'introduzca de nuevo la contraseña Wi-Fi en la página Sedes',
    'order-codes': 'inicie el servicio con la clave secreta que tenía cuando se hizo el pedido',
    'mail-server': 'introdúzcala de nuevo en la página Correo',
    'identity-provider': 'introdúzcalo de nuevo en la página Usuarios',
    'sms-provider': 'introdúzcalo de nuevo en la página SMS',
  },
  finding: {
    'disk-free': '{free} libres',
    'disk-low': 'solo {free} libres',
    'disk-not-writable': 'no se puede escribir en {dataDir}{code}',
    clock: '{time}, zona horaria {zone}',
    'email-off': 'sin configurar: los vales no se pueden enviar por correo',
    'email-on': 'configurado, a través de {host}',
    'email-incomplete': 'incompleto: falta el remitente o la contraseña del servidor de correo',
    'email-unusable': 'configurado, pero {host} no se puede usar: {detail}',
    'sms-off': 'sin configurar: los vales no se pueden enviar por SMS',
    'sms-on': 'configurado, a través de {host}',
    'sms-failed': 'configurado, a través de {host}; último fallo: {time}, {sms}',
    'sms-incomplete': 'incompleto: falta el secreto del proveedor',
    'single-sign-on-off': 'sin configurar: los usuarios inician sesión con una contraseña',
    'single-sign-on-on': 'configurado, en {host}',
    'single-sign-on-unusable': 'configurado, pero nadie puede iniciar sesión en {host}: {detail}',
    'single-sign-on-incomplete': 'incompleto: nadie puede iniciar sesión así',
    'files-closed': 'ningún otro usuario de este equipo puede abrir los archivos',
    'files-open': 'cualquier usuario de este equipo puede abrir estos archivos: {files}',
    'files-none': 'aún no hay archivos: nada en {dataDir}',
    'files-hidden':
      'este usuario no puede comprobarlo, así que no se sabe quién puede abrir los archivos: {files}',
    'files-not-usable':
      'este usuario no puede abrir estos archivos; solo puede hacerlo su propietario: {files}',
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
    'secrets-open': 'todos los secretos guardados se pueden descifrar',
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
    'webhooks-fine': 'todos funcionan',
    'not-checked': 'no se ha podido comprobar',
  },
  findingRemedy: {
    'disk-low': 'libere al menos 200 MB en el disco de {dataDir}',
    'disk-not-writable': 'permita que este usuario escriba en {dataDir}, o defina DATA_DIR',
    'other-user': 'ejecute el comando como el usuario del servicio, o como root',
    clock: 'ponga en hora el reloj de este equipo',
    'email-off':
      'para enviar correos, configure un servidor de correo en la página Correo, o defina SMTP_URL y MAIL_FROM',
    'email-incomplete': 'complételo en la página Correo, o defina SMTP_URL y MAIL_FROM',
    'email-unusable': 'compruebe SMTP_URL o la página Correo, y envíe allí un correo de prueba',
    'sms-off': 'para enviar SMS, configure un proveedor en la página SMS, o defina SMS_PROVIDER',
    'sms-incomplete': 'introduzca el secreto en la página SMS',
    'single-sign-on-off':
      'para usarlo, configúrelo en la página Usuarios, o defina OIDC_ISSUER, OIDC_CLIENT_ID y OIDC_CLIENT_SECRET',
    'single-sign-on-incomplete':
      'complételo en la página Usuarios, que dice lo que falta, o defina las variables OIDC_…',
    'single-sign-on-unusable':
      'pruébelo en la página Usuarios; un usuario con contraseña aún puede iniciar sesión',
    'demo-key': 'detenga la demo y después: {command}',
    intents: 'el servicio los resuelve mientras está en marcha y puede acceder a su controlador: véase allí',
    'secrets-not-open':
      'vuelva a poner esa clave (SECRET_KEY, SECRET_KEY_FILE o secret.key en DATA_DIR), o {sealedRemedy}',
    'secrets-unknown': 'vuelva a poner SECRET_KEY, SECRET_KEY_FILE o secret.key en DATA_DIR',
    controller: 'pruébelo en la página Controladores',
    'webhook-switched-off': 'vuelva a activarlo o elimínelo: {command}',
    'deliveries-failed':
      'vea qué ha fallado y corrija la causa: {list}\nenvíe de nuevo lo que aún se necesite: {resend}',
    'not-checked': 'consulte el log del servicio',
  },
} as const satisfies TextTable;
