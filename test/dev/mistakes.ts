/** A slip in the contract, and what both commands say of it. */
export interface Mistake {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** What names the cause. */
  readonly dev: RegExp;
  readonly contract: RegExp;
  /** A text of the line that is shown. */
  readonly line: string;
}

export const mistakes: Mistake[] = [
  {
    name: 'indentation',
    from: '      operationId: listSites\n',
    to: '       operationId: listSites\n',
    dev: /All mapping items must start at the same column/,
    contract: /bad indentation of a mapping entry/,
    line: 'tags: [sites]',
  },
  {
    name: 'unknown $ref',
    from: "schema: { $ref: '#/components/schemas/SiteList' }",
    to: "schema: { $ref: '#/components/schemas/SitesList' }",
    dev: /\$ref "#\/components\/schemas\/SitesList" leads to nothing/,
    contract: /Can't resolve \$ref/,
    line: 'SitesList',
  },
  {
    name: 'no operationId',
    from: '      operationId: listVouchers\n',
    to: '',
    dev: /operationId is missing/,
    contract: /should contain `operationId`/,
    line: 'get:',
  },
  {
    name: 'wrong example',
    from: '- { id: 1, name: Hauptgebäude }',
    to: '- { id: eins, name: Hauptgebäude }',
    dev: /the example does not fit its schema: \/sites\/0\/id must be integer/,
    contract: /`id` property type must be integer/,
    line: 'id: eins',
  },
  {
    name: 'misspelt x- key',
    from: '            x-lenient: true\n            x-message: site_id erforderlich',
    to: '            x-lenien: true\n            x-message: site_id erforderlich',
    dev: /x-lenien: did you mean x-lenient\?/,
    contract: /x-lenien: did you mean x-lenient\?/,
    line: 'x-lenien: true',
  },
  {
    name: 'no description',
    from: '          description: List of vouchers\n',
    to: '',
    dev: /The field `description` must be present/,
    contract: /The field `description` must be present/,
    line: "'200':",
  },
  {
    name: 'duplicate operationId',
    from: 'operationId: listVouchers',
    to: 'operationId: listSites',
    dev: /the operationId listSites belongs to GET \/sites\.php already/,
    contract: /must have a unique `operationId`/,
    line: 'operationId: listSites',
  },
  {
    name: 'invalid pattern',
    from: String.raw`pattern: '^[\x21-\x7e]{1,255}$'`,
    to: String.raw`pattern: '^[\x21-\x7e{1,255}$'`,
    dev: /invalid pattern: .*Unterminated character class/,
    contract: /Invalid pattern: .*Unterminated character class/,
    line: 'pattern:',
  },
  {
    name: 'removed field',
    from: '        used_count: { type: integer, minimum: 0, description: Count of uses }\n',
    to: '',
    dev: /property 'used_count' .* was removed\. This breaks clients/,
    contract: /`used_count`/,
    line: '',
  },
  {
    name: 'changed default',
    from: '          default: 480',
    to: '          default: 60',
    dev: /default changed from 480 to 60\. This breaks clients/,
    contract: /default changed from 480 to 60\. This breaks clients/,
    line: 'expire_minutes:',
  },
];
