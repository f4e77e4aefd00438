import { hash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { System } from '../lib/system.js';
import { totpBinding, type Secrets } from '../secrets/encryption.js';
import type { RecoveryCodeTable } from '../users/recoveryCodeTable.js';
import type { StoredUser, UserTable } from '../users/userTable.js';
import { draftAudit, type Actor } from '../audit/audit.js';
import type { NotifyUser } from '../users/accountNotice.js';
import { UserRefusal } from '../users/refusal.js';
import { makeRandomCode } from '../users/names.js';
import { assertDone } from '../users/users.js';

/** What an authenticator app needs. */
export interface Enrolment {
  /** In base32, to be typed. */
  readonly secret: string;
  /** The `otpauth:` address, to be shown as a QR code. */
  readonly uri: string;
}

/** Time-based codes (RFC 6238), and recovery codes for a lost phone. */
export interface SecondFactor {
  /** Begins to set up a second factor. One that is in use stays until the new one is confirmed. */
  begin(userId: number): Promise<Enrolment>;
  /** Puts it in use with a first code, ends the user's sessions, and returns ten recovery codes, once. */
  confirm(userId: number, code: string, actor: Actor): Promise<string[]>;
  /** Checks a code of the app or a recovery code. Each is accepted once. */
  verify(user: StoredUser, code: string): Promise<boolean>;
  /** How many recovery codes are left. */
  countRecoveryCodes(userId: number): Promise<number>;
  /** Replaces the recovery codes and returns the new ones, once. */
  renewRecoveryCodes(userId: number, actor: Actor): Promise<string[]>;
  /** Removes the second factor, and ends the user's sessions. */
  reset(userId: number, actor: Actor): Promise<void>;
}

interface SecondFactorDeps {
  readonly users: UserTable;
  readonly recoveryCodes: RecoveryCodeTable;
  readonly system: System;
  readonly secrets: () => Pick<Secrets, 'open'>;
  /** Writes a sealed value with the current key. */
  writeSealed<T>(write: (secrets: Secrets) => Promise<T>): Promise<T>;
  /** Called after each change, for what this process has cached. */
  readonly changed: () => void;
  readonly notify: NotifyUser;
}

const issuer = 'voucherd';
const periodMs = 30_000;
/** Clocks of phones may be off by one period. */
const windowSteps = 1;
const secretBytes = 20;
const recoveryCodeCount = 10;

export const makeSecondFactor = (deps: SecondFactorDeps): SecondFactor => {
  const { users, recoveryCodes, system, secrets, writeSealed, changed, notify } = deps;

  const findUser = async (id: number): Promise<StoredUser> => {
    const user = await users.find(id);
    if (!user) throw new UserRefusal('unknown-user');
    return user;
  };

  /** The time step that a code belongs to. */
  const findStep = (secret: string, code: string): number | undefined => {
    const timestamp = system.now();
    const delta = makeTotp(secret).validate({ token: code, timestamp, window: windowSteps });
    return delta === null ? undefined : Math.floor(timestamp / periodMs) + delta;
  };

  return {
    begin: async (userId) => {
      const { name } = await findUser(userId);
      const secret = new Secret({ buffer: toArrayBuffer(system.randomBytes(secretBytes)) }).base32;
      assertDone(
        await writeSealed(({ seal }) =>
          users.change(userId, () => ({
            values: { sealedTotpEnrolment: seal(secret, totpBinding(userId, 'enrolment')) },
            endsSessions: false,
            audit: null,
          })),
        ),
      );
      return { secret, uri: makeTotp(secret, name).toString() };
    },
    confirm: async (userId, code, actor) => {
      const user = await findUser(userId);
      const { sealedTotpEnrolment: enrolment } = user;
      if (enrolment === null) throw new UserRefusal('no-enrolment');
      const secret = secrets().open(enrolment, totpBinding(userId, 'enrolment'));
      const step = findStep(secret, code.replaceAll(/\s/g, ''));
      if (step === undefined) throw new UserRefusal('code-wrong');
      const codes = makeRecoveryCodes(system);
      const outcome = await writeSealed(({ seal }) =>
        users.change(userId, (current) =>
          current.sealedTotpEnrolment !== enrolment
            ? undefined
            : {
                values: {
                  sealedTotpSecret: seal(secret, totpBinding(userId, 'secret')),
                  sealedTotpEnrolment: null,
                  totpLastStep: step,
                },
                recoveryHashes: codes.map((text) => hashRecoveryCode(userId, text)),
                endsSessions: true,
                audit: draftAudit(actor, 'user.second-factor', system.now()),
              },
        ),
      );
      assertDone(outcome);
      if (outcome === 'unchanged') throw new UserRefusal('no-enrolment');
      changed();
      notify(user, { kind: 'second-factor-changed', isInUse: true });
      return codes;
    },
    verify: async (user, code) => {
      const { id, sealedTotpSecret } = user;
      if (sealedTotpSecret === null || code.length > maxCodeLength) return false;
      const text = code.replaceAll(/\s/g, '');
      if (!/^\d{6}$/.test(text)) return recoveryCodes.use(id, hashRecoveryCode(id, text), system.now());
      const step = findStep(secrets().open(sealedTotpSecret, totpBinding(id, 'secret')), text);
      return step !== undefined && users.useTotpStep(user, step);
    },
    countRecoveryCodes: recoveryCodes.countUnused,
    renewRecoveryCodes: async (userId, actor) => {
      const codes = makeRecoveryCodes(system);
      const outcome = await users.change(userId, ({ sealedTotpSecret }) =>
        sealedTotpSecret === null
          ? undefined
          : {
              recoveryHashes: codes.map((text) => hashRecoveryCode(userId, text)),
              endsSessions: false,
              audit: draftAudit(actor, 'user.recovery-codes', system.now()),
            },
      );
      assertDone(outcome);
      if (outcome === 'unchanged') throw new UserRefusal('no-second-factor');
      return codes;
    },
    reset: async (userId, actor) => {
      const user = await findUser(userId);
      const outcome = await users.change(userId, ({ sealedTotpSecret, sealedTotpEnrolment }) =>
        sealedTotpSecret === null && sealedTotpEnrolment === null
          ? undefined
          : {
              values: { sealedTotpSecret: null, sealedTotpEnrolment: null, totpLastStep: null },
              recoveryHashes: [],
              endsSessions: true,
              audit: draftAudit(actor, 'user.second-factor-reset', system.now()),
            },
      );
      assertDone(outcome);
      if (outcome === 'unchanged') throw new UserRefusal('no-second-factor');
      changed();
      notify(user, { kind: 'second-factor-changed', isInUse: false });
    },
  };
};

const maxCodeLength = 100;

const makeTotp = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period: periodMs / 1000 });

const toArrayBuffer = (bytes: Buffer): ArrayBuffer => Uint8Array.from(bytes).buffer;

const makeRecoveryCodes = (system: System): string[] =>
  Array.from({ length: recoveryCodeCount }, () => makeRandomCode(system, 4, 4));

/** They have 80 random bits, so they need no slow hash. */
const hashRecoveryCode = (userId: number, code: string): string =>
  hash('sha256', `${String(userId)}:${code.toLowerCase().replaceAll('-', '')}`, 'hex');
