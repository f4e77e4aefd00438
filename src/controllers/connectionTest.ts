import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { toStoredLine } from '../lib/label.js';
import type { Controller, ControllerDeps, ControllerInfo, ControllerSpec } from './controller.js';
import { ControllerError, unreachableError } from './errors.js';
import { fetchCertificate, type ControllerCertificate } from './https/certificate.js';
import { parseConnectionSettings, type Endpoint } from './https/settings.js';
import {
  checkControllerCredentials,
  checkControllerSettings,
  controllerEndpointOf,
  controllerTrustOf,
  isDatabaseKind,
} from './kinds.js';
import { makeController } from './registry.js';
import { toControllerProblem, toControllerRemedy, type ControllerProblem } from './controllerProblem.js';
import type { Message } from '../i18n/messages.js';

const stepNames = ['settings', 'name', 'connection', 'certificate', 'sign-in', 'version', 'sites'] as const;
type StepName = (typeof stepNames)[number];

/** The report on a step of a test: first that it runs, then how it ended. */
export interface ConnectionTestStep {
  readonly step: StepName;
  readonly state: 'running' | 'ok' | 'failed' | 'skipped';
  /** What it found. */
  readonly finding?: Message<'connectionTest'>;
  /** Why it failed. */
  readonly problem?: ControllerProblem;
  readonly remedy?: Message<'remedy'>;
  /** Also when it is not trusted, so that it can be compared and pinned. */
  readonly certificate?: Omit<ControllerCertificate, 'failure'> & { readonly isTrusted: boolean };
  readonly version?: string;
  readonly sites?: ControllerInfo['sites'];
  readonly advice?: ControllerInfo['advice'];
}

/** How a step ended, if it did not throw. */
type StepResult = Omit<ConnectionTestStep, 'step' | 'state'> & { readonly error?: unknown };

interface ConnectionTestOptions {
  /** Opens what is to be tested; what it throws fails the step `settings`. */
  open(): ControllerSpec;
  readonly deps: ControllerDeps;
  /** Ends the test: nothing more is asked, and nothing more is reported. */
  readonly signal: AbortSignal;
  /** Also gets the error of a step that failed, for callers with their own wording. */
  report(step: ConnectionTestStep, error?: unknown): void;
}

/**
 * Tests a controller step by step, and reports each when it begins and when it ends. After a step that fails
 * the others are skipped. Each has the deadline of a call. Nothing is stored, and nothing but these facts is
 * reported, because the user who starts a test chooses the host that it connects to.
 */
export const runConnectionTest = async ({
  open,
  deps,
  signal,
  report,
}: ConnectionTestOptions): Promise<void> => {
  const left: StepName[] = [...stepNames];

  const skip = (): void => {
    const step = left.shift();
    if (step !== undefined) report({ step, state: 'skipped' });
  };

  /** Runs the next step, and returns whether it succeeded. */
  const run = async (work: () => Promise<StepResult>): Promise<boolean> => {
    const step = left.shift();
    signal.throwIfAborted();
    if (step === undefined) return false;
    report({ step, state: 'running' });
    const { error, ...result } = await work().catch((thrown: unknown): StepResult => ({ error: thrown }));
    signal.throwIfAborted();
    const failed = error !== undefined;
    report({ step, state: failed ? 'failed' : 'ok', ...(failed && explain(error)), ...result }, error);
    return !failed;
  };

  /** Name, connection and certificate. */
  const runAddressSteps = async (spec: ControllerSpec, { host, port }: Endpoint): Promise<boolean> => {
    const limits = { name: spec.name, deadlineMs: deps.deadlineMs, signal };
    const findName = async (): Promise<StepResult> => {
      const found = await resolveName(host, limits);
      return { finding: { code: 'addresses', values: { addresses: found } } };
    };
    if (isIP(host) !== 0) skip();
    else if (!(await run(findName))) return false;
    const findConnection = async (): Promise<StepResult> => {
      const ip = await openConnection(host, port, limits);
      return { finding: { code: 'endpoint', values: { address: ip, port } } };
    };
    if (!(await run(findConnection))) return false;
    if (isDatabaseKind(spec.kind)) {
      skip();
      return true;
    }
    return run(async () => {
      const { url, ca } = parseConnectionSettings(spec.settings);
      const certificate = await fetchCertificate({ ...limits, address: url, ca });
      return describeTrust(spec, certificate);
    });
  };

  /** Sign-in, version and sites, as the controller's probe goes through them. */
  const runProbeSteps = async (controller: Controller): Promise<void> => {
    let version = '';
    let signedIn = (): void => undefined;
    let versioned = (): void => undefined;
    const untilSignedIn = new Promise<void>((resolve) => (signedIn = resolve));
    const untilVersioned = new Promise<void>((resolve) => (versioned = resolve));
    const probing = controller.probe((step, found) => {
      signal.throwIfAborted();
      if (step === 'signed-in') signedIn();
      if (step === 'version') {
        version = toLine(found ?? '');
        versioned();
      }
    });
    const after = (step: Promise<void>): Promise<unknown> => Promise.race([step, probing]);
    try {
      if (!(await run(() => after(untilSignedIn).then(() => ({}))))) return;
      if (!(await run(() => after(untilVersioned).then(() => ({ version }))))) return;
      await run(async () => {
        const info = await probing;
        return { sites: toOfferedSites(info), ...(info.advice && { advice: info.advice }) };
      });
    } finally {
      // Also when nobody waits for it any more.
      await probing.catch(() => undefined);
    }
  };

  const runSteps = async (): Promise<void> => {
    let controller: Controller | undefined;
    let spec: ControllerSpec | undefined;
    const settle = async (): Promise<StepResult> => {
      spec = open();
      checkControllerSettings(spec);
      checkControllerCredentials(spec.kind, spec.credentials);
      controller = makeController(spec, deps);
      return {};
    };
    try {
      if (!(await run(settle)) || !spec || !controller) return;
      const endpoint = controllerEndpointOf(spec);
      if (!endpoint) for (const _ of ['name', 'connection', 'certificate']) skip();
      else if (!(await runAddressSteps(spec, endpoint))) return;
      await runProbeSteps(controller);
    } finally {
      await controller?.close();
    }
  };

  await runSteps();
  while (left.length > 0) skip();
};

const explain = (error: unknown): Pick<ConnectionTestStep, 'problem' | 'remedy'> => {
  const remedy = toControllerRemedy(error);
  return { problem: toControllerProblem(error), ...(remedy && { remedy }) };
};

interface StepLimits {
  readonly name: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * The addresses of a name. The system can't be told to stop looking,
 * so an answer that comes late is not used.
 */
const resolveName = (host: string, { name, deadlineMs, signal }: StepLimits): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      reject(unreachableError(name, error));
    };
    const timer = setTimeout(() => fail({ code: 'EAI_AGAIN' }), deadlineMs);
    signal.addEventListener('abort', () => fail({ code: 'ECONNABORTED' }), { once: true });
    lookup(host, { all: true }).then((found) => {
      clearTimeout(timer);
      resolve(found.map(({ address }) => address).join(', '));
    }, fail);
  });

/** Connects, sends nothing, and returns the address that answered. */
const openConnection = (
  host: string,
  port: number,
  { name, deadlineMs, signal }: StepLimits,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(unreachableError(name, error));
    };
    const timer = setTimeout(() => fail({ code: 'ETIMEDOUT' }), deadlineMs);
    signal.addEventListener('abort', () => fail({ code: 'ECONNABORTED' }), { once: true });
    socket.on('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket.remoteAddress ?? host);
      socket.end(() => socket.destroy());
    });
  });

/** Whether the connections to a controller would trust this certificate, and the certificate itself. */
const describeTrust = (spec: ControllerSpec, found: ControllerCertificate): StepResult => {
  const { failure, ...certificate } = found;
  const { fingerprint } = certificate;
  const { fingerprint: pinned } = parseConnectionSettings(spec.settings);
  const error =
    pinned !== undefined
      ? pinned === fingerprint
        ? undefined
        : new ControllerError(spec.name, { kind: 'other-certificate', fingerprint })
      : failure && new ControllerError(spec.name, { kind: 'certificate', ...failure, fingerprint });
  return error
    ? { error, certificate: { ...certificate, isTrusted: false } }
    : {
        finding: { code: trustCodes[controllerTrustOf(spec)], values: {} },
        certificate: { ...certificate, isTrusted: true },
      };
};

const trustCodes = { none: 'system', system: 'system', 'own CA': 'own-ca', pinned: 'pinned' } as const;

/** What a controller says is untrusted text. */
const maxTextLength = 255;
const maxSites = 1000;

const toLine = (text: string): string => toStoredLine(text, maxTextLength);

/** A site whose id can't be passed on as it is could not be used either. */
const toOfferedSites = ({ sites }: ControllerInfo): ControllerInfo['sites'] =>
  sites
    .filter(({ id }) => id === toLine(id))
    .slice(0, maxSites)
    .map(({ id, name }) => ({ id, name: toLine(name) || id }));
