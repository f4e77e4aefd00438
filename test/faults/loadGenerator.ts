import { ControllerError } from '../../src/controllers/errors.js';
import { describeInGerman } from '../../src/controllers/failureMessages.js';
import { makeKeepAliveClient } from '../support/keepAliveClient.js';

/** An order with an idempotency key: the client repeats it until it has an answer with a voucher. */
interface KeyedOrder {
  readonly idempotencyKey: string;
  readonly siteId: number;
  readonly name: string;
}

/** What clients remember of what they sent and what they were told. */
export interface LoadLedger {
  /** Codes of all answers 201, in the order in which they came. */
  readonly codes: string[];
  /** The first code that each idempotency key was answered with. */
  readonly byKey: Map<string, string>;
  /** Keyed orders without an answer yet. */
  readonly open: Map<string, KeyedOrder>;
  /** Answers that nobody should ever get. */
  readonly unexpected: string[];
  sent: number;
  replayed: number;
}

export const emptyLedger = (): LoadLedger => ({
  codes: [],
  byKey: new Map(),
  open: new Map(),
  unexpected: [],
  sent: 0,
  replayed: 0,
});

interface LoadOptions {
  readonly url: string;
  readonly key: string;
  readonly siteIds: readonly number[];
  readonly round: string;
  readonly ledger: LoadLedger;
}

const clients = 12;
/** No client sends more than this in one round, however long the program lives. */
const most = 400;

/**
 * What a client is told when the deadline of a second strikes, as it may on a busy machine: in each of the ways in
 * which an order can run out of time, and when the reconciler was faster than the order itself.
 */
const late = [
  ...(['timeout', 'deadline'] as const).map((kind) => ({ kind })),
  { kind: 'timeout', seconds: 1 } as const,
  { kind: 'unreachable', reason: 'timeout' } as const,
];
const lateAnswers = [
  ...late,
  // Made, and not read in time.
  ...late.map((cause) => ({ kind: 'not-read', cause }) as const),
].map((failure) => describeInGerman(new ControllerError('', failure)));
const isLate = (message: string): boolean =>
  lateAnswers.includes(message.replaceAll(/„.*?“/g, '„“')) ||
  /^Der Voucher wurde von einem anderen Vorgang erfasst$|rechtzeitig gespeichert werden$|mehrmals hintereinander nicht geantwortet/.test(
    message,
  );

/** Refusals that a client may get on a busy machine. 503: more requests wait than such a machine can answer. */
export const isExpectedRefusal = ({ status, text }: { status: number; text: string }): boolean =>
  [409, 503].includes(status) ||
  (status === 500 && isLate((JSON.parse(text) as { message: string }).message));

/** Each client orders for one site. */
export const clientSite = (siteIds: readonly number[], client: number): number =>
  siteIds[client % siteIds.length]!;

/** Creates vouchers from many clients at once until the program is gone. Resolves when the last client has noticed. */
export const generateLoad = async ({ url, key, siteIds, round, ledger }: LoadOptions): Promise<void> => {
  const agent = makeKeepAliveClient(url, clients);
  const order = async (
    siteId: number,
    name: string,
    idempotencyKey?: string,
  ): Promise<string | undefined> => {
    const headers: [string, string][] = [['X-API-Key', key]];
    if (idempotencyKey !== undefined) headers.push(['Idempotency-Key', idempotencyKey]);
    const body = Buffer.from(JSON.stringify({ site_id: siteId, name }));
    ledger.sent++;
    const answer = await agent.send({ method: 'POST', path: '/vouchers.php', headers, body });
    if (answer.status === 201) {
      const { code } = JSON.parse(answer.text) as { code: string };
      if (answer.headers['idempotency-replayed'] === 'true') ledger.replayed++;
      else ledger.codes.push(code);
      return code;
    }
    if (!isExpectedRefusal(answer)) ledger.unexpected.push(`${answer.status} ${answer.text}`);
    return undefined;
  };

  const keyed = async (wanted: KeyedOrder): Promise<void> => {
    ledger.open.set(wanted.idempotencyKey, wanted);
    const code = await order(wanted.siteId, wanted.name, wanted.idempotencyKey);
    if (code === undefined) return;
    ledger.open.delete(wanted.idempotencyKey);
    const first = ledger.byKey.get(wanted.idempotencyKey);
    if (first !== undefined && first !== code) {
      ledger.unexpected.push(`${wanted.idempotencyKey} was ${first} and is now ${code}`);
    }
    ledger.byKey.set(wanted.idempotencyKey, code);
  };

  /** One client: of three orders one has a name of its own, one a name that many have, and one a key. */
  const client = async (number: number): Promise<void> => {
    const siteId = clientSite(siteIds, number);
    for (let count = 0; count < most; count++) {
      const name = `${round}-${number}-${count}`;
      const kind = (count + number) % 3;
      if (kind === 0) await order(siteId, name);
      if (kind === 1) await order(siteId, 'Gleicher Name');
      if (kind === 2) await keyed({ siteId, name, idempotencyKey: name });
    }
  };

  /** What had no answer before the program was killed is sent again. */
  const repeat = async (): Promise<void> => {
    for (const wanted of [...ledger.open.values()]) await keyed(wanted);
  };

  // A connection that breaks is what the clients of a killed program see; anything else is in the ledger.
  await Promise.allSettled([repeat(), ...Array.from({ length: clients }, (_, number) => client(number))]);
  agent.close();
};
