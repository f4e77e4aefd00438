import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpProblem, serveContract } from '../../src/framework/index.js';

/** Parcels of three kinds, each with its own fields beside those of all, and an error with a problem detail. */
const text = `
openapi: 3.1.0
info: { title: Parcels, version: '1' }
servers: [{ url: 'http://127.0.0.1/v1' }]
x-problem: https://parcels.example/problems/{code}
x-scopes: [read, write]
security: [{ token: [] }]
paths:
  /parcels:
    get:
      operationId: listParcels
      x-scope: read
      parameters: [{ name: kind, in: query, schema: { type: string, enum: [letter, box, pallet] } }]
      responses:
        '200':
          description: Parcels, the newest first
          content:
            application/json:
              schema:
                type: object
                required: [parcels]
                properties:
                  parcels: { type: array, x-sorted-by: -receivedAt, items: { $ref: '#/components/schemas/Parcel' } }
        '400': { $ref: '#/components/responses/Invalid' }
        '401': { $ref: '#/components/responses/Unauthorized' }
    post:
      operationId: createParcel
      x-scope: write
      requestBody:
        required: true
        x-max-bytes: 10000
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Parcel' }
            example: { kind: box, recipient: Bo, grams: 1200 }
      responses:
        '201': { description: The parcel, content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
        '400': { $ref: '#/components/responses/Invalid' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '403': { $ref: '#/components/responses/Forbidden' }
        '413': { description: Too large, x-error: payload_too_large, content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
  /parcels/{parcelId}:
    parameters: [{ name: parcelId, in: path, required: true, schema: { type: integer, minimum: 1 } }]
    get:
      operationId: getParcel
      x-scope: read
      responses:
        '200': { description: The parcel, content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
        '400': { $ref: '#/components/responses/Invalid' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        '404':
          description: There is no such parcel
          x-error: not_found
          x-message: There is no such parcel
          content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Parcel:
      oneOf: [{ $ref: '#/components/schemas/Letter' }, { $ref: '#/components/schemas/Box' }, { $ref: '#/components/schemas/Pallet' }]
      discriminator:
        propertyName: kind
        mapping: { letter: '#/components/schemas/Letter', box: '#/components/schemas/Box', pallet: '#/components/schemas/Pallet' }
    Common:
      type: object
      required: [id, kind, recipient, receivedAt]
      properties:
        id: { type: integer, readOnly: true }
        kind: { type: string }
        recipient: { type: string, minLength: 1, maxLength: 100 }
        receivedAt: { type: string, format: date-time, readOnly: true }
    Letter:
      allOf:
        - $ref: '#/components/schemas/Common'
        - type: object
          required: [registered]
          properties: { kind: { const: letter }, registered: { type: boolean } }
    Box:
      allOf:
        - $ref: '#/components/schemas/Common'
        - type: object
          required: [grams]
          properties: { kind: { const: box }, grams: { type: integer, minimum: 1, maximum: 31500 } }
    Pallet:
      allOf:
        - $ref: '#/components/schemas/Common'
        - type: object
          required: [layers]
          properties: { kind: { const: pallet }, layers: { type: integer, minimum: 1, maximum: 12 } }
    Problem:
      type: object
      required: [type, title, status]
      properties: { type: { type: string }, title: { type: string }, status: { type: integer }, detail: { type: string }, instance: { type: string } }
  responses:
    Invalid: { description: A field is wrong, x-error: invalid_request, content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
    Unauthorized: { description: No token, x-error: unauthorized, content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
    Forbidden: { description: It may only read, x-error: forbidden, content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
`;

/** Writes the contract into a folder. */
export const writeParcelsContract = (folder: string): string => {
  const file = join(folder, 'parcels.yaml');
  writeFileSync(file, text);
  return file;
};

export const parcelTokens = { PARCELS: 'may-do-everything', READER: 'may-only-read' };

/** Mistakes that can be planted in the service. */
export interface ParcelDefects {
  /** The list has parcels of every kind, whatever it is asked for. */
  readonly ignoresKind?: boolean;
  /** Of a pallet other layers are stored. */
  readonly losesLayers?: boolean;
  /** Layers are not checked. */
  readonly takesAnyLayers?: boolean;
  readonly letsReadersWrite?: boolean;
}

type Parcel = Readonly<Record<string, unknown>>;

interface Body<T> {
  content: { 'application/json': T };
}

/** The operations, as their types are generated. */
interface Operations {
  listParcels: {
    parameters: { query: { kind?: string } };
    responses: { 200: Body<{ parcels: Parcel[] }> };
  };
  createParcel: { requestBody: Body<Parcel>; responses: { 201: Body<Parcel> } };
  getParcel: {
    parameters: { path: { parcelId: number } };
    responses: { 200: Body<Parcel>; 404: { content?: never } };
  };
}

/** Starts a service that is as the contract says, but for its defects. */
export const startParcels = async (file: string, defects: ParcelDefects = {}) => {
  const parcels: Parcel[] = [];
  const contract = defects.takesAnyLayers ? writeLoose(file) : file;
  const service = await serveContract<Operations, string>({
    contract,
    handlers: {
      listParcels: ({ input, reply }) => {
        const { kind } = input.query;
        const isAsked = (parcel: Parcel): boolean =>
          kind === undefined || defects.ignoresKind === true || parcel['kind'] === kind;
        return reply(200, { parcels: parcels.filter(isAsked).toReversed() });
      },
      createParcel: ({ input, reply }) => {
        const { body } = input;
        const layers = defects.losesLayers && body['kind'] === 'pallet' ? { layers: 1 } : {};
        const receivedAt = new Date(1_700_000_000_000 + parcels.length * 1000).toISOString();
        const parcel = { ...body, ...layers, id: parcels.length + 1, receivedAt };
        parcels.push(parcel);
        return reply(201, parcel);
      },
      getParcel: ({ input, reply }) => {
        const parcel = parcels[input.path.parcelId - 1];
        if (!parcel) throw new HttpProblem('not_found');
        return reply(200, parcel);
      },
    },
    authenticate: (token) => Object.values(parcelTokens).find((one) => one === token),
    permits: (principal, scope) =>
      scope === 'read' || principal === parcelTokens.PARCELS || defects.letsReadersWrite === true,
    logLevel: 'silent',
  });
  const { url } = await service.listen({ port: 0 });
  return { url, close: () => service.close() };
};

const writeLoose = (file: string): string => {
  const loose = file.replace('.yaml', '.loose.yaml');
  writeFileSync(loose, text.replace('minimum: 1, maximum: 12', 'minimum: 1'));
  return loose;
};
