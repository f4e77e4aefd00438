import type { ContractModel } from '../../tools/contract/src/contract.js';
import type { ContractResult } from '../../tools/contract/src/run/results.js';
import type { Stage } from '../../tools/contract/src/stage.js';
import type { LocalService } from '../scenarios/local/localService.js';
import { localTargetOn } from '../scenarios/local/localTarget.js';
import {
  startFaultInjectionProxy,
  type Defect,
  type ProxiedAnswer,
  type ProxiedRequest,
} from '../support/faultInjectionProxy.js';
import { failuresOf, optionsOf, runStagesAlone } from './stageRun.js';

/** Runs stages on a service that is seen through a defect. */
export const runThrough = async (
  service: LocalService,
  stages: readonly Stage[],
  defect: Defect,
  contract: ContractModel,
  ...args: string[]
): Promise<ContractResult> => {
  const { served } = service;
  const { basePath } = served;
  const proxy = await startFaultInjectionProxy(service.url.slice(0, -basePath.length || undefined), defect);
  const target = localTargetOn(contract, service, proxy.url + basePath);
  const options = optionsOf(...args);
  try {
    return await runStagesAlone(stages, {
      ...{ served, contract, options },
      target: () => Promise.resolve(target),
    });
  } finally {
    await target.close();
    await proxy.stop();
  }
};

/** A defect, and all cases that must fail for it: what each of them says. */
export interface PlantedDefect {
  readonly defect: Defect;
  readonly found: Readonly<Record<string, RegExp>>;
}

/** Plants all defects in one service. None of them may touch the requests of another. */
const allOf = (planted: readonly PlantedDefect[]): Defect => ({
  request: (asked) => planted.reduce((request, { defect }) => defect.request?.(request) ?? request, asked),
  answer: (given, request) =>
    planted.reduce((answer, { defect }) => defect.answer?.(answer, request) ?? answer, given),
});

/** What a stage finds in a service with all these defects, and what it must find: them, and nothing else. */
export const findPlanted = async (
  service: LocalService,
  stage: Stage,
  contract: ContractModel,
  planted: Readonly<Record<string, PlantedDefect>>,
): Promise<{ found: Record<string, string>; expected: Record<string, RegExp> }> => {
  const defects = Object.values(planted);
  return {
    found: failuresOf(await runThrough(service, [stage], allOf(defects), contract)),
    expected: Object.assign({}, ...defects.map(({ found }) => found)) as Record<string, RegExp>,
  };
};

type Where = (request: ProxiedRequest, answer: ProxiedAnswer) => boolean;

/** Spoils the answers to some requests. */
export const spoil = (
  where: Where,
  change: (answer: ProxiedAnswer, request: ProxiedRequest) => ProxiedAnswer,
): Defect => ({
  answer: (answer, request) => (where(request, answer) ? change(answer, request) : answer),
});

export const headerOf = ({ headers }: Pick<ProxiedRequest, 'headers'>, name: string): string | undefined =>
  headers.find(([given]) => given.toLowerCase() === name)?.[1];

export const without = <Message extends Pick<ProxiedRequest, 'headers'>>(
  message: Message,
  ...names: string[]
): Message => ({
  ...message,
  headers: message.headers.filter(([given]) => !names.includes(given.toLowerCase())),
});

export const withStatus =
  (status: number) =>
  (answer: ProxiedAnswer): ProxiedAnswer => ({ ...answer, status });

/** The answer with another value of one header. */
export const withHeader =
  (header: string, value: string) =>
  (answer: ProxiedAnswer): ProxiedAnswer => ({
    ...answer,
    headers: answer.headers.map(([name, old]) => [name, name.toLowerCase() === header ? value : old]),
  });

export type Json = Record<string, unknown>;

/** The answer with another body. */
export const withBody = (answer: ProxiedAnswer, change: (body: Json) => Json): ProxiedAnswer => ({
  ...answer,
  body: Buffer.from(JSON.stringify(change(JSON.parse(String(answer.body)) as Json))),
});

/** The answer with another list in its body. */
export const withList = (
  answer: ProxiedAnswer,
  name: string,
  change: (list: Json[]) => Json[],
): ProxiedAnswer => withBody(answer, (body) => ({ ...body, [name]: change(body[name] as Json[]) }));

/** The answer with another text in its body. */
export const withText = (answer: ProxiedAnswer, from: string, to: string): ProxiedAnswer => ({
  ...answer,
  body: Buffer.from(String(answer.body).replaceAll(from, to)),
});
