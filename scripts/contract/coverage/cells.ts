import type { ContractModel } from '../contract.js';
import type { OperationModel } from '../document/types.js';
import type { Cell } from '../stage.js';
import { fieldNames } from './fields.js';

/** Everything that a run of all stages has to try, in the order of the contract. */
export const cellsOf = ({ operations }: Pick<ContractModel, 'operations'>): Cell[] =>
  operations.flatMap(operationCells);

const operationCells = ({ id, parameters, requestBody, responses }: OperationModel): Cell[] => {
  const cells = (kind: Cell['kind'], names: readonly string[]): Cell[] =>
    names.map((name) => ({ operationId: id, kind, name }));
  return [
    ...cells(
      'status',
      responses.map(({ status }) => String(status)),
    ),
    ...cells(
      'parameter',
      parameters.map((parameter) => `${parameter.in} ${parameter.name}`),
    ),
    ...cells(
      'field',
      fieldNames(requestBody?.schema).map((name) => `body ${name}`),
    ),
    ...responses.flatMap(({ status, body }) =>
      cells(
        'field',
        fieldNames(body?.schema).map((name) => `${status} ${name}`),
      ),
    ),
  ];
};

/** Two cells are the same when their keys are. */
export const cellKey = ({ operationId, kind, name }: Cell): string =>
  JSON.stringify([operationId, kind, name]);
