import type { ErrorKind } from '../errors/codedError.js';

/**
 * What the code of an error means. The same mistake has the
 * same code, and so the same exit status, in every command.
 */
interface ErrorCode {
  readonly kind: ErrorKind;
  readonly meaning: string;
}

const ofKind = <Code extends string>(
  kind: ErrorKind,
  meanings: Readonly<Record<Code, string>>,
): Readonly<Record<Code, ErrorCode>> =>
  Object.fromEntries(
    Object.entries<string>(meanings).map(([code, meaning]) => [code, { kind, meaning }]),
  ) as Record<Code, ErrorCode>;

/**
 * The codes of errors that more than one command has, or that a script can do something about.
 * Others are worded by their message alone. The documents list them.
 */
export const errorCodes = {
  ...ofKind('invalid', {
    'option-invalid': 'the value of an option or an argument is not allowed',
    'option-missing': 'an option is missing that is needed here',
    'options-conflict': 'options exclude each other, or mean nothing here',
    'file-unreadable': 'a file that is named does not exist, or can not be read',
    'file-invalid': 'a file of `config export` has a mistake; the message names the line',
    'backup-invalid': 'a file is not a backup',
    'backup-damaged': 'a backup is damaged',
    'checksum-differs': 'a backup does not have the SHA-256 of `--sha256`',
    'wrong-pass-phrase': 'the pass phrase is not the one that a file was sealed with',
    'contract-unusable': 'nothing of a contract can be served',
    'target-unusable': 'a file can not be created where it should be',
    'source-invalid': 'what is imported is not from the PHP tool, or not complete',
  }),
  ...ofKind('missing', {
    'unknown-controller': 'there is no such controller',
    'unknown-delivery': 'there is no such delivery',
    'unknown-key': 'there is no such API key',
    'unknown-site': 'there is no such site',
    'unknown-user': 'there is no such user',
    'unknown-webhook': 'there is no such webhook',
    'database-missing': 'there is no database where one should be',
  }),
  ...ofKind('refused', {
    'target-exists': 'something is there already, and is not overwritten',
    'name-taken': 'a name is taken',
    'console-known': 'the console is known as another controller',
    'controller-in-use': 'sites use the controller',
    'controller-site-used': 'another site uses this site of the controller',
    'credentials-required': 'the controller needs its credentials again',
    'not-applicable': 'there is nothing to do for what is named, or it is not allowed there',
    'orders-open': 'orders are open',
    'secret-key-wrong': 'the secret key does not open what is stored, or is not the one of a backup',
    'key-missing': 'there is no secret key',
    'rotation-interrupted': 'a rotation of the secret key has to be finished first',
    conflict: 'what is in a file means something else here',
    'ids-taken': 'ids or sites of the PHP tool mean something else here',
    'not-importable': 'something of the PHP tool can not be imported',
    'in-use': 'a service uses the database',
    'earlier-version': 'the database has to be migrated first',
    'unreleased-version': 'the database is of a version before 1.0.0',
    'newer-version': 'the database is newer than the program',
    'unfinished-copy': 'the database is an unfinished copy',
    'not-empty': 'the target of a copy is not empty',
    'value-not-storable': 'the other database can not store a value',
  }),
  ...ofKind('busy', {
    'retention-running': 'another process removes old records just now',
    'rotation-running': 'another process rotates the secret key just now',
  }),
  ...ofKind('unavailable', {
    'not-usable': 'the database can not be reached or used',
    'source-unreadable': 'the database of the PHP tool can not be reached or read',
    'controller-failed': 'a controller did not do what it was asked for',
    'disk-full': 'a disk is full',
    'disk-failed': 'a disk can not be read or written',
    'database-damaged': 'the database is damaged',
  }),
  ...ofKind('failed', {
    'certificate-different': 'the certificate is not the one that was given',
    'checks-failed': '`doctor` or a test has found something',
    'contract-violated': 'the proxy has seen violations, or the contract run has failures',
    'databases-differ': 'a copy does not have all rows of its source',
    'not-delivered': 'a test message did not arrive',
    'not-revoked': 'some vouchers were not revoked',
    'not-synced': 'some controllers could not be compared',
    'rotation-unfinished': 'a rotation was begun, and has to be run again',
    'types-outdated': 'the types of a contract do not follow it',
    /** Its exit status is its own. */
    interrupted: 'the command was interrupted',
  }),
};
