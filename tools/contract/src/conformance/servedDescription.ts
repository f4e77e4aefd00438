/** What the specification says of `/openapi.php` beside its content: how it is written, and which address it names. */
import { jsonFields, jsonList } from '../json.js';
import type { HttpAnswer } from '../request.js';
import type { Target } from '../target/target.js';
import { sendLine } from './requestLine.js';

/** How it is written. */
export const compareText = ({ headers, text }: HttpAnswer): { text: string; holds: boolean }[] => {
  const written = JSON.stringify(JSON.parse(text), null, 4);
  return [
    {
      text: 'its Content-Type is application/json; charset=utf-8',
      holds: headers['content-type'] === 'application/json; charset=utf-8',
    },
    { text: 'it is indented by four blanks, with Unicode and slashes unescaped', holds: text === written },
  ];
};

/** A sentence, and what is wrong if it is not true. */
interface Comparison {
  readonly text: string;
  readonly what: string | undefined;
}

/** What proxies say, which counts only from those that the operator trusts. */
const forwarded: readonly (readonly [name: string, value: string])[] = [
  ['X-Forwarded-Host', 'elsewhere.example'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Prefix', '/elsewhere'],
  ['X-Forwarded-Port', '8443'],
  ['Forwarded', 'host=elsewhere.example;proto=https'],
  ['X-Original-Host', 'elsewhere.example'],
];

const validHosts = ['api.example.org', 'api.example.org:8443', '192.0.2.7:80', '[2001:db8::1]:3000'];
const invalidHosts = ['two words', 'a/b', 'user@host', '<b>', 'host:99999', 'a"b', 'host:x'];

/** Which address it names: that of the request, and never one that somebody made up. */
export const compareAddresses = async (
  target: Pick<Target, 'send' | 'url'>,
  path: string,
): Promise<Comparison[]> => {
  const { pathname } = new URL(target.url);
  const basePath = pathname.replace(/\/$/, '');
  const ask = (...headers: readonly (readonly [string, string])[]): Promise<HttpAnswer> =>
    target.send({ method: 'GET', requestTarget: path, headers });
  const compared: Comparison[] = [];
  const expectUrl = (text: string, body: unknown, wanted: string): void => {
    const { url } = jsonFields(jsonList(jsonFields(body)['servers'])[0]);
    compared.push({ text, what: url === wanted ? undefined : `servers[0].url is ${String(url)}: ${text}` });
  };
  for (const header of forwarded)
    expectUrl(`${header[0]} of a client does not count`, (await ask(header)).body, target.url);
  for (const host of validHosts)
    expectUrl(
      `servers[0].url has the Host ${host}`,
      (await ask(['Host', host])).body,
      `http://${host}${basePath}`,
    );
  for (const host of invalidHosts) {
    const text = `the Host ${host} is refused with 400 and not shown`;
    const answer = await ask(['Host', host]);
    const isRefused = answer.status === 400 && !answer.text.includes(host);
    compared.push({ text, what: isRefused ? undefined : `the status is ${answer.status}: ${text}` });
  }
  const { body } = await sendLine(target.url, { method: 'GET', path, version: '1.0' });
  expectUrl('without a Host the address is that of localhost', body, `http://localhost${basePath}`);
  return compared;
};
