import { indent, ok, operation, refused, type Feature } from './feature.js';

/** The files of a contract whose paths, parameters, bodies and schemas each stand in one of their own. */
export const siteFiles = {
  'paths/sites.yaml': `parameters:
  - $ref: ../parts/parameters.yaml#/Page
get:
${indent(operation('listSites', ''), 2)}
post:
${indent(
  operation('addSite', "requestBody: { $ref: '../parts/bodies.json#/site' }").replace(
    "'200': { description: d, content: { application/json: { schema: {} } } }",
    "'200': { $ref: '../parts/answers/site.yaml' }",
  ),
  2,
)}
`,
  'parts/parameters.yaml':
    'Page: { name: page, in: query, schema: { $ref: "#/Number" } }\nNumber: { type: integer, minimum: 1 }\n',
  'parts/bodies.json': JSON.stringify({
    site: {
      required: true,
      'x-max-bytes': 65536,
      content: { 'application/json': { schema: { $ref: 'schemas/site.yaml' } } },
    },
  }),
  'parts/answers/site.yaml': `description: The site
content: { application/json: { schema: { $ref: '../schemas/site.yaml' }, example: { $ref: my%20example.yaml } } }
`,
  'parts/answers/my example.yaml': 'name: Haus\nowner: { name: Amt }\n',
  'parts/schemas/site.yaml': `type: object
required: [name]
properties:
  name: { $ref: '../../openapi.yaml#/components/schemas/Name' }
  owner: { $ref: 'people.yaml#/definitions/Owner' }
`,
  'parts/schemas/people.yaml': `definitions:
  Owner: &owner { type: object, required: [name], properties: { name: { type: string, maxLength: 20, x-message: Wem gehört es? } } }
  Guest: *owner
`,
};

export const fileFeatures: readonly Feature[] = [
  {
    row: 'several files',
    paths: '/sites: { $ref: paths/sites.yaml }',
    components: `schemas:
  Site: { $ref: parts/schemas/site.yaml }
  Name: { type: string, x-trim: true, minLength: 1, x-message: Welcher Name? }`,
    files: siteFiles,
    handler: ({ input, reply }) =>
      reply(200, { ...(input['query'] as object), ...(input['body'] as object) }),
    cases: [
      ['a path and its parameters', ['GET', '/sites?page=2'], ok({ page: 2 })],
      ['which are validated', ['GET', '/sites?page=0'], refused('page is invalid')],
      [
        'a schema that leads back to the first file',
        ['POST', '/sites', { body: { name: ' Haus ', owner: { name: 'Amt' } } }],
        ok({ name: 'Haus', owner: { name: 'Amt' } }),
      ],
      ['with its message', ['POST', '/sites', { body: { name: ' ' } }], refused('Welcher Name?')],
      [
        'a schema two files away',
        ['POST', '/sites', { body: { name: 'a', owner: {} } }],
        refused('Wem gehört es?'),
      ],
    ],
  },
];
