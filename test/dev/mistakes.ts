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

/** One of each kind: of YAML, of examples, of extension keys, of Redocly's rules, and a change that breaks clients. */
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
    name: 'removed field',
    from: '        used_count: { type: integer, minimum: 0, description: Count of uses }\n',
    to: '',
    dev: /property 'used_count' .* was removed\. This breaks clients/,
    contract: /`used_count`/,
    line: '',
  },
];
