// What is used of Swagger UI, which comes as a script without types. It brings its own React.
import type * as ReactModule from 'react';

/** A value of Immutable.js. */
interface Immutable {
  toJS(): unknown;
}

/** What the parts of an operation on the page get. */
export interface OperationProps {
  readonly path: string;
  readonly method: string;
  readonly specSelectors: {
    specJson(): Immutable;
    /** The request as it was sent; without one nothing was sent yet. */
    mutatedRequestFor(path: string, method: string): Immutable | undefined;
  };
}

/** The keys that were entered, by the names of their security schemes. */
export type GivenKeys = Readonly<Record<string, { readonly value?: unknown }>>;

/** What the path of an operation gets. */
export interface SummaryPathProps {
  readonly operationProps: { get(name: 'path' | 'deprecated'): unknown };
}

type Wrap<Argument> = (action: (argument: Argument) => unknown) => (argument: Argument) => unknown;

export interface SwaggerPlugin {
  readonly statePlugins?: {
    readonly spec?: { readonly wrapActions: { readonly updateJsonSpec: Wrap<unknown> } };
    readonly auth?: {
      readonly wrapActions: {
        readonly authorize: Wrap<GivenKeys>;
        readonly logout: Wrap<readonly string[]>;
      };
    };
  };
  readonly wrapComponents?: {
    readonly curl?: () => () => null;
    readonly responses?: (
      original: ReactModule.ComponentType<OperationProps>,
    ) => ReactModule.ComponentType<OperationProps>;
    readonly OperationSummaryPath?: () => ReactModule.ComponentType<SummaryPathProps>;
  };
}

export interface SwaggerSystem {
  readonly React: typeof ReactModule;
}

/** A request that is about to be sent. */
interface PendingRequest {
  url: string;
  /** Is it the one for the contract? */
  readonly loadSpec?: boolean;
}

interface SwaggerOptions {
  readonly url: string;
  readonly dom_id: string;
  readonly deepLinking: boolean;
  readonly tryItOutEnabled: boolean;
  readonly displayRequestDuration: boolean;
  readonly defaultModelsExpandDepth: number;
  readonly docExpansion: 'list';
  readonly validatorUrl: null;
  readonly plugins: readonly ((system: SwaggerSystem) => SwaggerPlugin)[];
  onComplete(): void;
  requestInterceptor(request: PendingRequest): PendingRequest;
}

interface SwaggerInstance {
  preauthorizeApiKey(name: string, key: string): void;
  readonly specActions: { download(url: string): void };
}

declare global {
  /** Defined by `swagger-ui-bundle.js`. */
  const SwaggerUIBundle: (options: SwaggerOptions) => SwaggerInstance;
}
