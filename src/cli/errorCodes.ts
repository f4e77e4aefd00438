import type { ErrorKind } from '../errors/codedError.js';

/**
 * What the code of an error means. The same mistake has the
 * same code, and so the same exit status, in every command.
 */
interface ErrorCode {
  readonly kind: ErrorKind;
  readonly meaning: string;
}

/**
 * The codes of errors that more than one command has, or that a script can do something about.
 * Others are worded by their message alone. The documents list them.
 */
export const errorCodes = {
  'option-invalid': { kind: 'invalid', meaning: 'the value of an option or an argument is not allowed' },
  'option-missing': { kind: 'invalid', meaning: 'an option is missing that is needed here' },
  'options-conflict': { kind: 'invalid', meaning: 'options exclude each other, or mean nothing here' },
  'file-unreadable': { kind: 'invalid', meaning: 'a file that is named does not exist, or can not be read' },
  'file-invalid': {
    kind: 'invalid',
    meaning: 'a file of `config export` has a mistake; the message names the line',
  },
  'backup-invalid': { kind: 'invalid', meaning: 'a file is not a backup' },
  'backup-damaged': { kind: 'invalid', meaning: 'a backup is damaged' },
  'checksum-differs': { kind: 'invalid', meaning: 'a backup does not have the SHA-256 of `--sha256`' },
  'wrong-pass-phrase': {
    kind: 'invalid',
    meaning: 'the pass phrase is not the one that a file was sealed with',
  },
  'contract-unusable': { kind: 'invalid', meaning: 'nothing of a contract can be served' },
  'target-unusable': { kind: 'invalid', meaning: 'a file can not be created where it should be' },
  'source-invalid': {
    kind: 'invalid',
    meaning: 'what is imported is not from the PHP tool, or not complete',
  },
  'unknown-controller': { kind: 'missing', meaning: 'there is no such controller' },
  'unknown-delivery': { kind: 'missing', meaning: 'there is no such delivery' },
  'unknown-key': { kind: 'missing', meaning: 'there is no such API key' },
  'unknown-site': { kind: 'missing', meaning: 'there is no such site' },
  'unknown-user': { kind: 'missing', meaning: 'there is no such user' },
  'unknown-webhook': { kind: 'missing', meaning: 'there is no such webhook' },
  'database-missing': { kind: 'missing', meaning: 'there is no database where one should be' },
  'target-exists': { kind: 'refused', meaning: 'something is there already, and is not overwritten' },
  'name-taken': { kind: 'refused', meaning: 'a name is taken' },
  'console-known': { kind: 'refused', meaning: 'the console is known as another controller' },
  'controller-in-use': { kind: 'refused', meaning: 'sites use the controller' },
  'controller-site-used': { kind: 'refused', meaning: 'another site uses this site of the controller' },
  'credentials-required': { kind: 'refused', meaning: 'the controller needs its credentials again' },
  'not-applicable': {
    kind: 'refused',
    meaning: 'there is nothing to do for what is named, or it is not allowed there',
  },
  'orders-open': { kind: 'refused', meaning: 'orders are open' },
  'secret-key-wrong': {
    kind: 'refused',
    meaning: 'the secret key does not open what is stored, or is not the one of a backup',
  },
  'key-missing': { kind: 'refused', meaning: 'there is no secret key' },
  'rotation-interrupted': {
    kind: 'refused',
    meaning: 'a rotation of the secret key has to be finished first',
  },
  conflict: { kind: 'refused', meaning: 'what is in a file means something else here' },
  'ids-taken': { kind: 'refused', meaning: 'ids or sites of the PHP tool mean something else here' },
  'not-importable': { kind: 'refused', meaning: 'something of the PHP tool can not be imported' },
  'in-use': { kind: 'refused', meaning: 'a service uses the database' },
  'earlier-version': { kind: 'refused', meaning: 'the database has to be migrated first' },
  'unreleased-version': { kind: 'refused', meaning: 'the database is of a version before 1.0.0' },
  'newer-version': { kind: 'refused', meaning: 'the database is newer than the program' },
  'unfinished-copy': { kind: 'refused', meaning: 'the database is an unfinished copy' },
  'not-empty': { kind: 'refused', meaning: 'the target of a copy is not empty' },
  'value-not-storable': { kind: 'refused', meaning: 'the other database can not store a value' },
  'retention-running': { kind: 'busy', meaning: 'another process removes old records just now' },
  'rotation-running': { kind: 'busy', meaning: 'another process rotates the secret key just now' },
  'not-usable': { kind: 'unavailable', meaning: 'the database can not be reached or used' },
  'source-unreadable': {
    kind: 'unavailable',
    meaning: 'the database of the PHP tool can not be reached or read',
  },
  'controller-failed': { kind: 'unavailable', meaning: 'a controller did not do what it was asked for' },
  'disk-full': { kind: 'unavailable', meaning: 'a disk is full' },
  'disk-failed': { kind: 'unavailable', meaning: 'a disk can not be read or written' },
  'database-damaged': { kind: 'unavailable', meaning: 'the database is damaged' },
  'certificate-different': { kind: 'failed', meaning: 'the certificate is not the one that was given' },
  'checks-failed': { kind: 'failed', meaning: '`doctor` or a test has found something' },
  'contract-violated': {
    kind: 'failed',
    meaning: 'the proxy has seen violations, or the contract run has failures',
  },
  'databases-differ': { kind: 'failed', meaning: 'a copy does not have all rows of its source' },
  'not-delivered': { kind: 'failed', meaning: 'a test message did not arrive' },
  'not-revoked': { kind: 'failed', meaning: 'some vouchers were not revoked' },
  'not-synced': { kind: 'failed', meaning: 'some controllers could not be compared' },
  'rotation-unfinished': { kind: 'failed', meaning: 'a rotation was begun, and has to be run again' },
  'types-outdated': { kind: 'failed', meaning: 'the types of a contract do not follow it' },
  /** Its exit status is its own. */
  interrupted: { kind: 'failed', meaning: 'the command was interrupted' },
} as const satisfies Readonly<Record<string, ErrorCode>>;
