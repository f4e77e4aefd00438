import type { ContractModel } from '../contract.js';
import type { HttpAnswer } from '../request.js';
import type { Fault } from '../stage.js';

/** What is wrong with the cookies of an answer that let somebody in: scripts and other sites must not get hold of them. */
export const cookieFaults = ({ loaded }: ContractModel, { headers }: HttpAnswer): Fault[] => {
  const names = Object.values(loaded.resolved.components.securitySchemes ?? {}).flatMap((scheme) =>
    scheme.type === 'apiKey' && scheme.in === 'cookie' ? [scheme.name] : [],
  );
  return (headers['set-cookie'] ?? []).flatMap((cookie) => {
    const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    if (!names.includes(name)) return [];
    const has = (pattern: RegExp): boolean => attributes.some((attribute) => pattern.test(attribute));
    return [
      ...(has(/^httponly$/i) ? [] : [`the cookie ${name} lacks HttpOnly`]),
      ...(has(/^samesite=(lax|strict)$/i) ? [] : [`the cookie ${name} lacks SameSite=Lax or Strict`]),
      ...(value !== '' || has(/^max-age=0$/i) ? [] : [`the empty cookie ${name} lacks Max-Age=0`]),
    ].map((text) => ({ text, cause: text }));
  });
};
