import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { makeFolder } from '../support/folder.js';
import { forAllTests } from '../support/fixture.js';
import { allFailuresOf, runInProcess } from './thirdPartyRun.js';

const body = (schema: string) =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } }`;

/** What it documents beside what other services do: 405, closed objects, two credentials, limits, times of creation. */
const contractText = `
openapi: 3.0.3
info: { title: Notes, version: '1' }
security: [{ bearer: [] }, { header: [] }]
paths:
  /notes:
    get:
      operationId: listNotes
      responses:
        '200':
          description: All notes
          headers:
            RateLimit-Remaining: { schema: { type: integer } }
            RateLimit-Reset: { schema: { type: integer } }
          ${body('Notes')}
        '401': { description: No credential }
        '405': { description: Another method }
    post:
      operationId: addNote
      requestBody: { required: true, ${body('NewNote')} }
      responses:
        '201': { description: The note, ${body('Note')} }
        '400': { description: No note }
        '401': { description: No credential }
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    header: { type: apiKey, in: header, name: X-Key }
  schemas:
    NewNote:
      type: object
      required: [text]
      properties: { text: { type: string, minLength: 1, maxLength: 40, example: Momo } }
    Note:
      type: object
      additionalProperties: false
      required: [id, text, createdAt]
      properties:
        id: { type: integer }
        text: { type: string }
        createdAt: { type: string, format: date-time }
    Notes:
      type: object
      required: [notes]
      properties: { notes: { type: array, items: { $ref: '#/components/schemas/Note' } } }
`;

interface Defects {
  readonly listsOtherText?: boolean;
  readonly createsYesterday?: boolean;
  readonly looksAtHeaderFirst?: boolean;
  readonly looksAtBearerFirst?: boolean;
  readonly neverCountsDown?: boolean;
  readonly takesEveryMethod?: boolean;
  readonly tellsMore?: boolean;
}

interface Note {
  readonly id: number;
  readonly text: string;
  readonly createdAt: string;
}

const key = 'notes-key-0815';

const startNotes = async (defects: Defects) => {
  const notes: Note[] = [{ id: 1, text: 'Krabat', createdAt: '2026-01-02T03:04:05Z' }];
  const windowMs = 3_600_000;
  const startedAt = Date.now();
  let remaining = 1_000_000;
  const isLetIn = ({ authorization, 'x-key': inHeader }: IncomingHttpHeaders): boolean => {
    if (defects.looksAtHeaderFirst && inHeader !== undefined) return inHeader === key;
    if (defects.looksAtBearerFirst && authorization !== undefined) return authorization === `Bearer ${key}`;
    return authorization === `Bearer ${key}` || inHeader === key;
  };
  const textIn = (sent: string): string | undefined => {
    try {
      const { text } = JSON.parse(sent) as { text?: unknown };
      return typeof text === 'string' && text !== '' && Array.from(text).length <= 40 ? text : undefined;
    } catch {
      return undefined;
    }
  };
  const answer = (method: string, headers: IncomingHttpHeaders, sent: string): [number, unknown?] => {
    if (!isLetIn(headers)) return [401];
    if (method === 'POST') {
      const text = textIn(sent);
      if (text === undefined) return [400];
      const createdAt = new Date(Date.now() - (defects.createsYesterday ? 86_400_000 : 0)).toISOString();
      const note = { id: notes.length + 1, text, createdAt };
      notes.push(note);
      return [201, note];
    }
    if (method !== 'GET' && !defects.takesEveryMethod) return [405];
    const listed = notes.map((note) => ({
      ...note,
      ...(defects.listsOtherText && { text: `${note.text}?` }),
      ...(defects.tellsMore && { owner: 'me' }),
    }));
    return [200, { notes: listed }];
  };
  const server = createServer((req, res) => {
    let sent = '';
    req.on('data', (chunk) => (sent += String(chunk)));
    req.on('end', () => {
      const [status, shown] = answer(req.method ?? '', req.headers, sent);
      remaining -= 1;
      const leftMs = windowMs - ((Date.now() - startedAt) % windowMs);
      res.writeHead(status, {
        'RateLimit-Remaining': String(remaining),
        'RateLimit-Reset': defects.neverCountsDown ? '60' : String(Math.ceil(leftMs / 1000)),
        ...(shown !== undefined && { 'Content-Type': 'application/json' }),
      });
      res.end(shown === undefined ? undefined : JSON.stringify(shown));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
const folder = forAllTests(makeFolder, 'remove');
beforeAll(async () => {
  writeFileSync(join(folder.path, 'notes.yaml'), contractText);
});

const run = async (stages: readonly string[], defects: Defects = {}): Promise<Record<string, string>> => {
  const { url, close } = await startNotes(defects);
  try {
    const contract = join(folder.path, 'notes.yaml');
    const keyEnv = ['bearer=NOTES', 'header=NOTES'];
    return allFailuresOf(await runInProcess(folder.path, { NOTES: key }, { stages, contract, url, keyEnv }));
  } finally {
    close();
  }
};

test('a service that keeps its contract passes every stage', async () => {
  expect(await run(['conformance', 'generated', 'security', 'sequences'])).toEqual({});
});

test('other lists, other times, more fields and other methods than documented are found', async () => {
  const { stringMatching } = expect;
  const listed = 'addNote: what was created is listed as it was created';
  const defects = { listsOtherText: true, tellsMore: true, takesEveryMethod: true };
  expect(await run(['conformance'], defects)).toMatchObject({
    [listed]: stringMatching(/^text is listed as "Momo\?", and in the answer it is "Momo"/),
    'listNotes 200 with the request of the example': stringMatching(
      /has a field that the schema does not name: owner/,
    ),
    'listNotes 405 with PUT': stringMatching(/^the status is 200 instead of 405/),
  });
  expect(await run(['conformance'], { createsYesterday: true })).toMatchObject({
    [listed]: stringMatching(/^createdAt is \S+, which is not between/),
  });
});

test('a credential that hides another one, and a window without an end, are found', async () => {
  const { stringMatching } = expect;
  const isRefused = stringMatching(/^the status is 401/);
  expect(await run(['security'], { looksAtHeaderFirst: true, neverCountsDown: true })).toMatchObject({
    'listNotes: the credential in Authorization beside an unknown one in X-Key is let in': isRefused,
    'listNotes: RateLimit-Reset counts down': stringMatching(
      /^RateLimit-Reset is 60, and after two seconds 60/,
    ),
  });
  expect(await run(['security'], { looksAtBearerFirst: true })).toMatchObject({
    'listNotes: the credential in X-Key beside an unknown one in Authorization is let in': isRefused,
  });
});
