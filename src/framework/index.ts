// What `voucherd/contract` exports: a service of one's own from its contract.
export { serveContract } from './serveContract.js';
export { HttpProblem, type HttpProblemCode } from '../errors/httpProblem.js';
export type {
  ContractService,
  CredentialContext,
  ListenOptions,
  ServeContractOptions,
  ServiceLimits,
  ServiceLog,
} from './options.js';
export type {
  Answered,
  OperationHandler,
  OperationHandlers,
  OperationInput,
  OperationReply,
  Sent,
  WebhookBody,
} from '../contract/types.js';
export type { UploadedFile } from '../contract/bodies/uploadedFile.js';
export type { RateLimitStatus, ReplyHeaders, RequestClient } from '../contract/exchange.js';
