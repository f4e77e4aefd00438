// Guesses at the sign-in: how many are checked, and whether times tell which accounts exist.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, startServiceProcess } from '../../scripts/lib/serviceProcess.js';
import { formatTable } from '../../scripts/lib/textTable.js';

// Guesses at the sign-in of a running service: how many of a thousand are checked at all, and whether the time of an
// answer tells an account that exists from one that does not.

const guesses = 1000;
const atATime = 8;
/** An account is checked ten times in 15 minutes, so timing needs several. */
const timedAccounts = 8;
const guessesPerAccount = 10;

interface Guess {
  readonly login: string;
  /** The network that the guess comes from. */
  readonly address: string;
}

interface Answer {
  readonly status: number;
  readonly ms: number;
}

const addressOf = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
const accountOf = (index: number): string => `Konto ${String(index)}`;

const attacks: readonly { readonly title: string; readonly guess: (index: number) => Guess }[] = [
  { title: 'one account, one address', guess: () => ({ login: accountOf(0), address: addressOf(1) }) },
  {
    title: 'one account, many addresses',
    guess: (index) => ({ login: accountOf(1), address: addressOf(1000 + index) }),
  },
  {
    title: 'many accounts, one address',
    guess: (index) => ({ login: `Gast ${String(index)}`, address: addressOf(2) }),
  },
  {
    title: 'ten accounts, ten addresses',
    guess: (index) => ({
      login: `Zimmer ${String(index % 10)}`,
      address: addressOf(3000 + (Math.floor(index / 10) % 10)),
    }),
  },
];

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const sendGuess = async (url: string, { login, address }: Guess, password: string): Promise<Answer> => {
  const started = performance.now();
  const response = await fetch(`${url}/web/session`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': address,
    },
    body: JSON.stringify({ login, password }),
  });
  await response.arrayBuffer();
  return { status: response.status, ms: performance.now() - started };
};

/** Sends all guesses, a few at a time, and counts the answers by status. */
const attack = async (url: string, guess: (index: number) => Guess): Promise<Map<number, number>> => {
  const counts = new Map<number, number>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < guesses; index = next++) {
      // The service says 503 while it hashes too many passwords; such a guess was not checked and is repeated.
      let status = 503;
      while (status === 503) ({ status } = await sendGuess(url, guess(index), `geraten ${String(index)}`));
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return counts;
};

/** Times unknown accounts and wrong passwords in turn, so that the load of the machine meets both. */
const timeAnswers = async (url: string): Promise<{ known: number[]; unknown: number[] }> => {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let index = 0; index < timedAccounts * guessesPerAccount; index += 1) {
    const account = 2 + (index % timedAccounts);
    const ask = (login: string, address: number): Promise<Answer> =>
      sendGuess(url, { login, address: addressOf(address) }, `geraten ${String(index)}`);
    known.push((await ask(accountOf(account), 10_000 + index)).ms);
    unknown.push((await ask(`Niemand ${String(account)}`, 20_000 + index)).ms);
  }
  return { known, unknown };
};

const folder = await mkdtemp(join(tmpdir(), 'sign-ins-'));
try {
  const env = { DATA_DIR: folder, TRUST_PROXY: '127.0.0.1', PASSWORD: 'richtig Pferd Batterie 47' };
  await runCommand(['migrate'], env);
  for (let index = 0; index < 2 + timedAccounts; index += 1)
    await runCommand(
      ['user', 'create', '--name', accountOf(index), '--role', 'admin', '--password-env', 'PASSWORD'],
      env,
    );
  const service = await startServiceProcess(env, join(folder, 'log'));
  try {
    const rows = [['guesses', 'sent', 'checked (401)', 'not checked (429)']];
    for (const { title, guess } of attacks) {
      const counts = await attack(service.url, guess);
      rows.push([title, String(guesses), String(counts.get(401) ?? 0), String(counts.get(429) ?? 0)]);
    }
    console.log(formatTable(rows));
    const { known, unknown } = await timeAnswers(service.url);
    const half = unknown.length >> 1;
    const ratio = (one: readonly number[], other: readonly number[]): string =>
      (medianOf(one) / medianOf(other)).toFixed(3);
    console.log(`
Time of an answer, median of ${String(known.length)}:
  unknown account    ${medianOf(unknown).toFixed(1)} ms
  wrong password     ${medianOf(known).toFixed(1)} ms
  wrong password to unknown account              ${ratio(known, unknown)}
  unknown account, first half to second (noise)  ${ratio(unknown.slice(0, half), unknown.slice(half))}`);
  } finally {
    await service.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
