import type { Database, Queries } from '../db/database.ts'
import type { SpanOptions, Tracing } from '../lib/tracing.ts'
import type { Senders } from '../worker/outbox.ts'

const DATABASE: SpanOptions = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } }

/** Spans of statements, with their text but not their values, and of transactions. */
export function tracedDatabase(db: Database, tracing: Tracing): Database {
  const tracedQueries = (queries: Pick<Queries, 'query'>): Queries['query'] => {
    return (statement, ...limits) =>
      tracing.span('query', DATABASE, (span) => {
        span.set({ 'db.query.text': statement.text })
        return queries.query(statement, ...limits)
      })
  }
  return {
    ...db,
    query: tracedQueries(db),
    reserved: { ...db.reserved, query: tracedQueries(db.reserved) },
    transaction: (work) => tracing.span('transaction', DATABASE, () => db.transaction(work)),
    change: (work) =>
      tracing.span('change', DATABASE, (span) => {
        const askedAt = performance.now()
        return db.change((tx) => {
          span.set({ 'pennant.change_lock_wait_ms': performance.now() - askedAt })
          return work(tx)
        })
      }),
    withClient: (work) => tracing.span('connection', DATABASE, () => db.withClient(work)),
  }
}

/** Spans of calls of other services, without their paths: those of webhooks are secret. */
export function tracedFetch(fetch: typeof globalThis.fetch, tracing: Tracing): typeof globalThis.fetch {
  return (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input)
    const attributes = { 'server.address': host, 'http.request.method': init?.method ?? 'GET' }
    return tracing.span(`call ${host}`, { kind: 'client', attributes }, async (span) => {
      const response = await fetch(input, init)
      span.set({ 'http.response.status_code': response.status })
      if (response.status >= 500) span.failed()
      return response
    })
  }
}

/** Spans of emails, messages and other rows of the outbox. */
export function tracedSenders(senders: Senders, tracing: Tracing): Senders {
  return Object.fromEntries(
    Object.entries(senders).map(([kind, send]) => [
      kind,
      (payload: unknown, signal: AbortSignal) =>
        tracing.span(`send ${kind}`, {}, () => send(payload, signal)),
    ]),
  )
}
