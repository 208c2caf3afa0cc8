/** Records what a request spends its time on. The port; `server/src/tracing/` has the one with OpenTelemetry. */
export interface Tracing {
  /**
   * Runs the work as a span: within the span around it, or as the first one of a new trace. Returns what the work returns;
   * an error marks the span and is passed on.
   */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** Sends what is recorded, for a few seconds at most. */
  close(): Promise<void>
}

export interface SpanOptions {
  readonly kind?: 'server' | 'client'
  readonly attributes?: Attributes
  /** A `traceparent` header, from someone who may decide about traces. */
  readonly parent?: string
}

export type Attributes = Readonly<Record<string, string | number>>

export interface Span {
  /** Adds what is known only later. */
  set(attributes: Attributes): void
  failed(): void
}
