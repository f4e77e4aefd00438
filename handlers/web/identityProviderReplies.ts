import { singleSignOnCallback } from '../../src/auth/cookies.js';
import type { RequestClient } from '../../src/contract/runtime/request.js';
import type { IdentityProviderInput, IdentityProviderView } from '../../src/auth/identityProvider.js';
import type { WebSchema } from './handler.js';

export const toIdentityProviderReply = (
  { settings, fixed, ...view }: IdentityProviderView,
  client: Pick<RequestClient, 'publicUrl' | 'hasFixedUrl'>,
): WebSchema<'IdentityProvider'> => ({
  ...view,
  issuer: settings.issuer ?? null,
  clientId: settings.clientId ?? null,
  name: settings.name ?? null,
  roleClaim: settings.roleClaim ?? null,
  adminValue: settings.adminValue ?? null,
  viewerValue: settings.viewerValue ?? null,
  emailProof: settings.emailProof ?? null,
  emailDomains: settings.emailDomains ?? null,
  fixed: [...fixed],
  callback: singleSignOnCallback(client),
  isCallbackFixed: client.hasFixedUrl,
});

/** What is null or empty is not set. */
export const toIdentityProviderInput = (
  body: WebSchema<'IdentityProviderSettings'>,
): IdentityProviderInput => ({
  issuer: body.issuer,
  clientId: body.clientId,
  clientSecret: body.clientSecret,
  name: body.name || undefined,
  roleClaim: body.roleClaim || undefined,
  adminValue: body.adminValue || undefined,
  viewerValue: body.viewerValue || undefined,
  emailProof: body.emailProof ?? undefined,
  emailDomains: body.emailDomains || undefined,
});
