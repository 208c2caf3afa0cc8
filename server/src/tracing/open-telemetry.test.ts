import { afterEach, describe, expect, test } from 'vitest'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { startContest, type Contest } from '../../test/harness.ts'
import { startHttpService, type HttpService } from '../../test/http-service.ts'
import { recordLog } from '../../test/log.ts'
import { openTracing } from './open-telemetry.ts'
import { tracedFetch } from './traced.ts'

// A real HTTP server receives what a collector would.

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: object }[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

const ends: (() => PromiseLike<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function startCollector(status = 200): Promise<HttpService> {
  const collector = await startHttpService((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  ends.push(() => collector[Symbol.asyncDispose]())
  return collector
}

const batchesOf = ({ asked }: HttpService) => asked.map(({ body }) => JSON.parse(String(body)) as Sent)
const spansOf = (collector: HttpService) =>
  batchesOf(collector).flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )

function valueOf(span: SentSpan | undefined, key: string): unknown {
  const value = span?.attributes.find((attribute) => attribute.key === key)?.value
  return value && Object.values(value)[0]
}

async function startTraced({ url }: HttpService, more: object = {}): Promise<Contest> {
  return await startContest({
    config: { tracing: { endpoint: `${url}/v1/traces`, headers: { 'x-key': 'k' }, sample: 1, ...more } },
  })
}

const PARENT = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`

describe('a traced server', () => {
  test('sends requests with their statements as children, and no values', async () => {
    const collector = await startCollector()
    const contest = await startTraced(collector)
    const admin = await contest.admin()
    const data = { name: 'Anchor', category: 'web', description: 'a secret description' }
    await contest.call(putChallengeV2, { token: admin.token, params: { id: 'anchor' }, body: { data } })
    await contest[Symbol.asyncDispose]()

    expect(collector.asked[0]).toMatchObject({ url: '/v1/traces', headers: { 'x-key': 'k' } })
    const spans = spansOf(collector)
    const request = spans.find(({ name }) => name === `PUT ${putChallengeV2.path}`)
    expect(valueOf(request, 'http.route')).toBe(putChallengeV2.path)
    expect(Number(valueOf(request, 'http.response.status_code'))).toBe(200)
    const change = spans.find(({ name, traceId }) => name === 'change' && traceId === request?.traceId)
    expect(change?.parentSpanId).toBe(request?.spanId)
    expect(Number(valueOf(change, 'pennant.change_lock_wait_ms'))).toBeGreaterThan(0)
    const statements = spans.filter(({ name }) => name === 'query')
    expect(statements.some((span) => String(valueOf(span, 'db.query.text')).includes('select'))).toBe(true)
    expect(JSON.stringify(batchesOf(collector))).not.toContain('a secret description')
  })

  test('follows the trace of a trusted proxy, and of no one else', async () => {
    const collector = await startCollector()
    const ask = async (trust: boolean | number) => {
      const contest = await startContest({
        config: { proxy: { trust }, tracing: { endpoint: collector.url, sample: 1 } },
      })
      await fetch(contest.url + listChallengesV2.path, { headers: { traceparent } })
      await fetch(contest.url + listChallengesV2.path, { headers: { traceparent: 'nonsense' } })
      await contest[Symbol.asyncDispose]()
    }
    await ask(true)
    const trusted = spansOf(collector).filter(({ name }) => name === `GET ${listChallengesV2.path}`)
    expect(
      trusted.map(({ traceId, parentSpanId }) => [traceId === PARENT.traceId, parentSpanId ?? '']),
    ).toEqual([
      [true, PARENT.spanId],
      [false, ''],
    ])
    await ask(0)
    const all = spansOf(collector).filter(({ name }) => name === `GET ${listChallengesV2.path}`)
    expect(all.filter(({ traceId }) => traceId === PARENT.traceId).length).toBe(1)
    expect(all.length).toBe(4)
  })

  test('works and stops while the collector refuses or is away', async () => {
    for (const collector of [await startCollector(400), { url: 'http://127.0.0.1:9' } as HttpService]) {
      const contest = await startTraced(collector)
      expect((await fetch(contest.url + listChallengesV2.path)).status).toBeLessThan(500)
      await contest[Symbol.asyncDispose]()
    }
  })

  test('traces nothing with a share of zero', async () => {
    const collector = await startCollector()
    const contest = await startTraced(collector, { sample: 0 })
    await fetch(contest.url + listChallengesV2.path)
    await contest[Symbol.asyncDispose]()
    expect(spansOf(collector)).toEqual([])
  })
})

test('calls of other services are spans with their host, and errors are marked without their message', async () => {
  const collector = await startCollector()
  const options = { endpoint: collector.url, headers: {}, sample: 1 }
  const tracing = openTracing(options, recordLog().log)
  const fetch = tracedFetch(async (input) => {
    if (String(input).includes('away')) throw new TypeError('a secret path')
    return new Response('', { status: 502 })
  }, tracing)
  await fetch('https://hooks.example/secret-path', { method: 'POST' })
  await expect(fetch('https://away.example/secret-path')).rejects.toThrow('a secret path')
  await tracing.close()

  const [failed, away] = spansOf(collector)
  expect(failed).toMatchObject({ name: 'call hooks.example', kind: 3, status: { code: 2 } })
  expect(valueOf(failed, 'http.request.method')).toBe('POST')
  expect(valueOf(away, 'error.type')).toBe('TypeError')
  expect(JSON.stringify(batchesOf(collector))).not.toMatch(/secret/)
  const [resource] = batchesOf(collector)[0]?.resourceSpans ?? []
  expect(resource?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'pennant' },
  })
})
