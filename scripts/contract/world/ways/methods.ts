import type { Contract } from '../../contract.js';
import type { Exchange } from '../../request.js';
import type { Excuse, Provocation } from '../../world.js';
import { withKey } from '../keys.js';
import { requestOf } from '../sample.js';
import { exchange, goodSample, isExcuse, type Scene } from '../scene.js';

/** Methods that every client can send. CONNECT asks for a tunnel, and TRACE may be answered on the way. */
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Those that no service takes for an order. */
const asking = ['GET', 'HEAD', 'OPTIONS'];

export interface OtherMethod {
  readonly method: string;
  exchange(): Promise<Exchange>;
}

/** The methods that the contract does not document for an operation's path, each sent without a body. */
export const otherMethods = (scene: Scene): { readonly methods: readonly OtherMethod[] } | Excuse => {
  const { contract, operation, world } = scene;
  const key = world.keys.permitting('read');
  if (isExcuse(key)) return key;
  const [target = ''] = requestOf(operation, goodSample(scene)).target.split('?');
  return {
    methods: undocumented(contract, operation.path)
      .filter((method) => world.allowWrites || asking.includes(method))
      .map((method) => ({
        method,
        exchange: () => exchange(scene, withKey(contract, { method, target, headers: [] }, key)),
      })),
  };
};

const undocumented = ({ operations }: Contract, path: string): string[] =>
  methods.filter((method) => !operations.some((one) => one.path === path && one.method === method));

/** 405, where the contract documents it for an operation. */
export const methodNotAllowed = (scene: Scene): Provocation => {
  const found = otherMethods(scene);
  if (isExcuse(found)) return found;
  return {
    ways: found.methods.map((other) => ({ how: `with ${other.method}`, send: () => other.exchange() })),
  };
};
