import type { Member } from './members.js';

/** Whom a token of an OpenID provider belongs to, as the provider says. Nobody waits long for one that is silent. */
export const askProvider = async (
  issuer: string,
  token: string,
  timeoutMs = 5_000,
): Promise<Member | undefined> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const found = await fetch(`${issuer}/.well-known/openid-configuration`, { signal });
  const { userinfo_endpoint: address } = (await found.json()) as { userinfo_endpoint: string };
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` }, signal });
  if (answer.status === 401) return undefined;
  if (!answer.ok) throw new Error(`the OpenID provider answers ${String(answer.status)}`);
  const { name } = (await answer.json()) as { name: string };
  return { id: 0, name };
};
