import { AsyncLocalStorage } from 'node:async_hooks'
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { readRelease } from '../lib/release.ts'
import type { Log } from '../lib/log.ts'
import type { Span, Tracing } from '../lib/tracing.ts'

export interface TracingOptions {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** Share of the requests that are traced. */
  readonly sample: number
}

/** Spans that wait to be sent; further ones are dropped. */
const MAX_QUEUE = 4096
const MAX_BATCH = 512
const SEND_EVERY_MS = 2 * SECOND_MS
const SEND_LIMIT_MS = 5 * SECOND_MS
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

export function openTracing({ endpoint, headers, sample }: TracingOptions, log: Log): Tracing {
  const exporter = new OTLPTraceExporter({
    url: endpoint,
    headers: { ...headers },
    timeoutMillis: SEND_LIMIT_MS,
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'pennant',
      'service.version': readRelease().version,
      'process.pid': process.pid,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sample) }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: MAX_QUEUE,
        maxExportBatchSize: MAX_BATCH,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_LIMIT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('pennant', readRelease().version)
  const around = new AsyncLocalStorage<Context>()

  return {
    async span(name, { kind, attributes, parent }, work) {
      const context = around.getStore() ?? contextOf(parent)
      const options = { ...(kind && { kind: KINDS[kind] }), ...(attributes && { attributes }) }
      const inner = tracer.startSpan(name, options, context)
      const failed = () => void inner.setStatus({ code: SpanStatusCode.ERROR })
      const span: Span = { set: (more) => void inner.setAttributes(more), failed }
      try {
        return await around.run(trace.setSpan(context, inner), () => work(span))
      } catch (error) {
        // Only its name: messages of drivers and services may quote what was sent.
        inner.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
        failed()
        throw error
      } finally {
        inner.end()
      }
    },
    async close() {
      await provider
        .shutdown()
        .catch((error: unknown) => log.warn({ err: error }, 'traces could not be sent'))
    },
  }
}

/** The context that a `traceparent` header names; none if it is malformed. */
function contextOf(header: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(header ?? '') ?? []
  const remote = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  }
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
}
