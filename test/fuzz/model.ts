/** What the oracle of the contract run makes of requests whose bytes and queries no usual client would send. */
import { readFileSync } from 'node:fs';
import { parseContractModel } from '../../tools/contract/src/contract.js';
import { judgeSample, type OracleVerdict } from '../../tools/contract/src/generated/oracle/oracle.js';
import { contractFile } from '../support/contract.js';

const contract = parseContractModel(readFileSync(contractFile, 'utf8'));
const [createVoucher, listVouchers] = [
  contract.operation('createVoucher'),
  contract.operation('listVouchers'),
];

/** An order with its effective values. */
export interface Effective {
  readonly site_id: number;
  readonly name: string;
  readonly max_uses: number;
  readonly expire_minutes: number;
  readonly qos: { readonly down: number; readonly up: number; readonly quota_mb: number };
}

export type Reading =
  | { readonly status: 400 | 413; readonly message: string }
  | { readonly status: 201; readonly order: Effective };

/** The text of a body. Bytes that are no UTF-8 are no JSON, and a byte order mark is no part of it either. */
const textOf = (body: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return 'x'.repeat(body.length);
  }
};

/** What becomes of a body, as long as key, scope, idempotency key and site give no other answer. */
export const readBody = (body: Uint8Array | undefined): Reading => {
  const sample = { path: {}, query: [], headers: [], body: body && textOf(body) };
  const verdict: OracleVerdict = judgeSample(createVoucher, sample);
  if (verdict.kind === 'accepted') return { status: 201, order: verdict.input.body as Effective };
  if (verdict.kind === 'too large')
    return { status: 413, message: 'Der Inhalt der Anfrage ist zu groß (höchstens 64 KiB)' };
  const [message] = verdict.kind === 'refused' ? (verdict.texts ?? []) : [];
  if (message === undefined) throw new Error(`the contract leaves it open: ${sample.body ?? ''}`);
  return { status: 400, message };
};

const decode = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    // What is not encoded properly is no number, and no name that we know.
    return `?${spaced}`;
  }
};

/** The site that a query asks for; undefined when it must be refused. */
export const siteOfQuery = (search: string): number | undefined => {
  const query = search.split('&').map((part) => {
    const [name = '', ...value] = part.split('=');
    return [decode(name), decode(value.join('='))] as const;
  });
  const verdict = judgeSample(listVouchers, { path: {}, query, headers: [] });
  return verdict.kind === 'accepted' ? (verdict.input.query['site_id'] as number) : undefined;
};

/** The server's local date, as in the stored name. */
export const dateOf = (time: number): string => {
  const date = new Date(time);
  const local = new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()));
  return local.toISOString().slice(0, 10);
};
