import type { FailureTable } from './en.js';

/**
 * Why a call of a controller failed. The operator reads the same in Spanish; the log and the command line are
 * English.
 */
export const spanishFailures = {
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
  'certificate-self-signed': 'El certificado del controlador{named} no es de confianza: es autofirmado',
  'certificate-unknown-ca':
    'El certificado del controlador{named} no es de confianza: su autoridad de certificación es desconocida',
  'certificate-expired': 'El certificado del controlador{named} ha caducado (válido hasta {validTo})',
  'certificate-not-yet-valid':
    'El certificado del controlador{named} aún no es válido (lo será a partir de {validFrom})',
  'certificate-host-name': 'El certificado del controlador{named} no es válido para su dirección',
  'certificate-other': 'El certificado del controlador{named} no es de confianza ({code})',
  'other-certificate': 'El controlador{named} muestra un certificado distinto del fijado',
  'credentials-api-key': 'El controlador{named} no acepta la clave API{quote}',
  'credentials-client': 'El controlador{named} no acepta el ID de cliente o su secreto{quote}',
  'credentials-account':
    'El controlador{named} ha rechazado el usuario o la contraseña; próximo intento, como pronto, en {seconds} s',
  'two-factor':
    'La cuenta del controlador{named} pide un segundo factor. Cree en el controlador una cuenta local sin segundo factor, con el rol de hotspot o de administrador, y use esa',
  'locked-out':
    'El controlador{named} no admite por ahora más inicios de sesión, porque ha habido demasiados; próximo intento en {seconds} s',
  'permission-api-key': 'La clave API para el controlador{named} no tiene permiso para esto{quote}',
  'permission-client': 'La aplicación en el controlador{named} no tiene permiso para esto{quote}',
  'permission-account':
    'La cuenta del controlador{named} no tiene permiso para esto. Necesita allí el rol de hotspot o de administrador{quote}',
  'site-unknown': 'El controlador{named} no conoce esta sede{quote}',
  'site-not-listed': 'El controlador{named} no conoce la sede configurada',
  'site-several': 'El controlador{named} tiene varias sedes y no está configurado cuál se usa',
  'bounds-value': '{field}: el controlador{named} no acepta {value}, solo de {from} a {to}',
  'bounds-not-kept': '{field}: el controlador{named} no puede limitarlo',
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
    'El controlador{named} no admite vales en esta sede; se necesita UniFi Network {needed}',
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
  'not-read': 'El vale está creado en el controlador{named}, pero no se ha podido leer por un error',
  'not-read-not-listed':
    'El vale está creado en el controlador{named}, pero no se ha podido leer: aún no aparece en la lista',
  'not-read-cause': 'El vale está creado en el controlador{named}, pero no se ha podido leer: {cause}',
} as const satisfies FailureTable;
