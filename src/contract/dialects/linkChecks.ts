import { makeCursor, type Cursor } from '../cursor.js';
import type { ContractDocument, OperationObject } from '../document.js';
import { pointerOf, type Path, type Refuse } from '../source.js';

/** An operation that links may lead to, or have. */
interface Linked {
  readonly name: string;
  readonly location: Path;
  readonly definition: OperationObject;
}

/** What a link takes from the request and the response that it stands in. */
const expression =
  /^\$(?:url|method|statusCode|(?:request|response)\.(?:header\.[\w!#$%&'*+.^`|~-]+|(?:query|path)\.[^\s{}]+|body(?:#(?:\/[^\s{}]*)?)?))$/;

/** Refuses links that lead to no operation, or give it a parameter that it does not have. */
export const checkLinks = (
  operations: ReadonlyMap<string, Linked>,
  { paths }: Pick<ContractDocument, 'paths'>,
  refuse: Refuse,
): void => {
  const byReference = (reference: string): Linked | undefined => {
    const [root, path = '', method = '', ...more] = pointerOf(reference) ?? [];
    const id = root === 'paths' && more.length === 0 ? paths[path]?.[method]?.operationId : undefined;
    return id === undefined ? undefined : operations.get(id);
  };
  const targetOf = (link: Cursor, what: string): Linked => {
    const id = link.field('operationId');
    const reference = link.field('operationRef');
    if (link.has('operationId') === link.has('operationRef'))
      return link.refuse(`${what} needs either an operationId or an operationRef`);
    if (link.has('operationId'))
      return (
        operations.get(id.text(`${what}: operationId`)) ??
        id.refuse(`${what}: there is no operation ${JSON.stringify(id.value)}`)
      );
    const found = byReference(reference.text(`${what}: operationRef`));
    return found ?? reference.refuse(`${what}: operationRef leads to no operation of this contract`);
  };
  const checkLink = (link: Cursor, what: string): void => {
    link.fields(what);
    const { name, definition } = targetOf(link, what);
    const known = (definition.parameters ?? []).flatMap((one) => [one.name, `${one.in}.${one.name}`]);
    if (link.has('parameters'))
      for (const [parameter, value] of link.field('parameters').fields(`${what}: parameters`)) {
        if (!known.includes(parameter)) value.refuse(`${what}: ${name} has no parameter ${parameter}`);
        checkExpression(value, `${what}: the parameter ${parameter}`);
      }
    if (!link.has('requestBody')) return;
    if (!definition.requestBody) link.field('requestBody').refuse(`${what}: ${name} has no body`);
    checkExpression(link.field('requestBody'), `${what}: requestBody`);
  };
  for (const { name: here, location, definition } of operations.values())
    for (const [status, response] of Object.entries(definition.responses)) {
      const links = makeCursor(response, refuse, [...location, 'responses', status]).field('links');
      if (links.value === undefined) continue;
      for (const [name, link] of links.fields(`${here}: ${status}: links`))
        checkLink(link, `${here}: ${status}: the link ${name}`);
    }
};

/** Any other value is sent as it is. */
const checkExpression = (value: Cursor, what: string): void => {
  if (typeof value.value === 'string' && value.value.startsWith('$') && !expression.test(value.value))
    value.refuse(`${what} is ${JSON.stringify(value.value)}, which is no runtime expression`);
};
