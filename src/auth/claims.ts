import type { UserInfoResponse } from 'openid-client';
import type { EmailProof, SingleSignOnConfig } from '../config/singleSignOnEnvironment.js';
import { Refusal } from '../errors/problem.js';
import type { Role } from '../users/roles.js';
import { parseEmail, parseUserName, toUserKey } from '../users/names.js';

/** What an identity provider says about a person. Issuer and subject are verified. */
export type Claims = UserInfoResponse & { readonly iss: string };

const emailClaims = ['email', 'email_verified', 'xms_edov'];

/** ID token and userinfo together. What is said of an address counts only beside the address itself. */
export const mergeClaims = (token: Claims, info: UserInfoResponse): Claims => {
  const [withEmail, other] = token.email === undefined ? [info, token] : [token, info];
  const others = Object.fromEntries(Object.entries(other).filter(([name]) => !emailClaims.includes(name)));
  return { ...others, ...withEmail, iss: token.iss, sub: token.sub };
};

/** Only an address that the person is known to own, and that does not merely look like another one. */
export const toTrustedEmail = (claims: Claims, proof: EmailProof): string => {
  const refused = new Refusal('single-sign-on-email', 'the provider tells no verified e-mail address');
  const { email } = claims;
  if (typeof email !== 'string' || email.normalize('NFKC') !== email) throw refused;
  let parsed: string;
  try {
    parsed = parseEmail(email);
  } catch {
    throw refused;
  }
  // One with spaces around it is another text, which the provider may have verified for somebody else.
  if (parsed !== email || !isProven(parsed, claims, proof)) throw refused;
  return parsed;
};

const isProven = (email: string, claims: Claims, proof: EmailProof): boolean => {
  const verified: unknown = claims.email_verified;
  if (proof.by === 'email_verified') return verified === true;
  // A provider that says that it is not verified is believed in any case.
  if (verified !== undefined && verified !== true) return false;
  if (proof.by === 'domain') return proof.domains.includes(toUserKey(email.slice(email.indexOf('@') + 1)));
  // Microsoft documents a boolean, and has sent numbers and texts.
  const edov: unknown = claims['xms_edov'];
  return edov === true || edov === 1 || edov === '1' || edov === 'true';
};

/** The role that the provider gives; undefined when administrators give it. */
export const roleIn = (
  claims: Claims,
  {
    roleClaim,
    adminValue,
    viewerValue,
  }: Pick<SingleSignOnConfig, 'roleClaim' | 'adminValue' | 'viewerValue'>,
): Role | undefined => {
  if (roleClaim === undefined) return undefined;
  const claim: unknown = claims[roleClaim];
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  if (values.every((value) => typeof value !== 'string' || value === ''))
    throw new Refusal('single-sign-on-role', 'the provider gives no role');
  if (values.includes(adminValue)) return 'admin';
  return viewerValue !== undefined && values.includes(viewerValue) ? 'viewer' : 'staff';
};

/** The person's name, if it can be that of a user. */
export const nameIn = ({ name }: Claims): string | undefined => {
  try {
    // A name that looks like an address would lock out the person who has that address.
    return typeof name === 'string' && !name.includes('@') ? parseUserName(name) : undefined;
  } catch {
    return undefined;
  }
};
