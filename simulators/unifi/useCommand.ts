import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { CommandError, wholeNumber, type Io } from '../../src/cli/io.js';
import { isObject, parseJson } from './route.js';

interface Given {
  url: string;
  guests: string;
}

/** `voucherd-simulator use`: a guest signs in on a console that runs elsewhere. */
export const addUseCommand = (program: Command, io: Io): void => {
  program
    .command('use')
    .description('Let a guest use a voucher of a simulated console')
    .argument('<code>', 'the code, with or without its dash')
    .option('--url <address>', 'where the console listens', 'https://127.0.0.1:8443')
    .option('--guests <number>', 'how many guests', '1')
    .action(async (code: string, { url, guests }: Given) => {
      if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
        throw new CommandError(`--url: "${url}" is not allowed: an address that begins with https://`);
      }
      const number = wholeNumber('--guests', guests, 1, 1_000_000);
      const { status, body } = await post(new URL('/simulator/use', url), { code, guests: String(number) });
      if (status === 200) {
        io.out(`${code} used\n`);
        return;
      }
      const answer = parseJson(body);
      throw new CommandError(
        isObject(answer) && typeof answer['error'] === 'string'
          ? answer['error']
          : `what listens at ${url} is no simulated console`,
      );
    });
};

const post = (url: URL, form: Readonly<Record<string, string>>): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
    // Its certificate is new at every start, and nothing that is sent here is worth hiding.
    const sent = request(url, { method: 'POST', headers, agent: false, rejectUnauthorized: false }, (res) => {
      text(res).then((body) => resolve({ status: res.statusCode ?? 0, body }), reject);
    });
    sent.on('error', reject);
    sent.setTimeout(10_000, () => sent.destroy(new CommandError(`${url.origin} does not answer`)));
    sent.end(new URLSearchParams(form).toString());
  });
