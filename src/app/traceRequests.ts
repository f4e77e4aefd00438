import type { ObserveRequest } from '../http/response.js';
import type { ServeOperation } from '../http/serveOperation.js';
import type { Tracer } from '../tracing/tracer.js';

/** Puts the work for each request of an operation into a trace. */
export const makeTraceRequests =
  (tracer: Tracer) =>
  (serve: ServeOperation): ServeOperation =>
  (exchange, match) =>
    tracer.traceRequest(exchange.req, exchange.res, exchange.id, () => serve(exchange, match));

/** Ends the trace of a request with its answer. Without a tracer, nothing is added to a request. */
export const traceResponses = (tracer: Tracer | undefined, observe: ObserveRequest): ObserveRequest =>
  tracer
    ? (request) => {
        if (request.res) tracer.noteResponse(request.res, request.operation, request.status);
        observe(request);
      }
    : observe;
