import { keep } from '../kept.js';
import type { AnyReply } from './call.js';
import type { Operation } from './contract.js';
import { headerText, jsonMedia, type Header, type Response } from './document.js';
import { appliedPreferences, parsePrefer } from './prefer.js';

/** Answers from the examples of an operation, as the request's `Prefer` header chooses. */
export type Mock = (prefer: string | string[] | undefined) => AnyReply;

/** `Prefer` asks for a status or an example that the contract does not have. The message lists those it has. */
export class UnknownPreference extends Error {
  override readonly name = 'UnknownPreference';
}

/** What may be chosen of one status. */
interface Choice {
  readonly status: number;
  readonly names: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** A named example; without a name the first one, or what the schema makes of itself. */
  body(name?: string): unknown;
}

/** These are set where the answer is written, mocked or not. */
const ownHeaders = ['x-request-id', 'etag'];

/** `generate` makes a body from the schema of a status, for want of an example. */
export const compileMock = ({ id, written }: Operation, generate: (status: number) => unknown): Mock => {
  const choices = Object.entries(written.responses)
    .map(([status, response]) => choiceOf(Number(status), response, generate))
    .sort((a, b) => a.status - b.status);
  const standard = choices.find(({ status }) => status >= 200 && status < 300) ?? choices[0];

  const chooseStatus = (code: string | undefined, example: string | undefined): Choice | undefined => {
    if (code !== undefined) return choices.find(({ status }) => String(status) === code);
    if (example === undefined || standard?.names.includes(example)) return standard;
    return choices.find(({ names }) => names.includes(example)) ?? standard;
  };

  return (prefer) => {
    const preferences = parsePrefer(prefer);
    const [code, example] = [preferences.get('code'), preferences.get('example')];
    const choice = chooseStatus(code, example);
    if (!choice) {
      const statuses = choices.map(({ status }) => status).join(', ');
      throw new UnknownPreference(`Prefer: code=${code ?? ''} gibt es bei ${id} nicht; möglich: ${statuses}`);
    }
    if (example !== undefined && !choice.names.includes(example)) {
      const among = code === undefined ? choices : [choice];
      const names = among.flatMap((one) => one.names).join(', ') || 'keine mit Namen';
      const where = code === undefined ? id : `${id} ${code}`;
      throw new UnknownPreference(`Prefer: example=${example} gibt es bei ${where} nicht; möglich: ${names}`);
    }
    const applied = [...preferences].filter(([name]) => name === 'code' || name === 'example');
    const headers =
      applied.length === 0
        ? choice.headers
        : { ...choice.headers, 'Preference-Applied': appliedPreferences(applied) };
    return { status: choice.status, body: choice.body(example), headers };
  };
};

const choiceOf = (status: number, response: Response, generate: (status: number) => unknown): Choice => {
  const media = response.content?.[jsonMedia];
  const named = Object.entries(media?.examples ?? {}).filter(([, example]) => 'value' in example);
  const headers = response.headers ?? {};
  const isList = Object.keys(headers).some((name) => name.toLowerCase() === 'etag');
  const first = (): unknown => {
    if (media?.example !== undefined) return media.example;
    return named[0] ? named[0][1].value : generate(status);
  };
  const bodyOf = (name: string | undefined): unknown =>
    name === undefined ? first() : named.find(([known]) => known === name)?.[1].value;
  return {
    status,
    names: named.map(([name]) => name),
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, header]) => {
        const value = exampleOf(header);
        return ownHeaders.includes(name.toLowerCase()) || value === undefined
          ? []
          : [[name, headerText(value)]];
      }),
    ),
    // A body that is kept comes with its ETag, and with 304.
    body: (name) => (media && isList ? keep(bodyOf(name)) : media && bodyOf(name)),
  };
};

/** A header that is written as not required is left out: the contract says it is not always there. */
const exampleOf = ({ required, example, examples = {}, schema = {} }: Header): unknown =>
  required === false
    ? undefined
    : (example ?? Object.values(examples)[0]?.value ?? schema.example ?? schema.default ?? schema.enum?.[0]);
