import type { ServerResponse } from 'node:http'
import { sendJson, startHttpService, type ReceivedRequest } from '../http-service.ts'
import { Failure, type Kept } from './objects.ts'
import { createStore, type Store } from './store.ts'

export const clusterToken = 'a-service-account'

export interface FakeKubernetes extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly ReceivedRequest[]
  readonly store: Store
  mood: 'well' | 'forbidden' | 'failing' | 'silent' | 'nonsense'
  /** Number of requests that are still processed; after that the caller's connections break. */
  remaining: number
  /** Called before each response, to simulate concurrent changes by other clients. */
  meanwhile: (asked: ReceivedRequest) => void
  /** All objects of one kind, such as Deployment, in all namespaces. */
  all(kind: string): Kept[]
  /**
   * Acts as the controllers: makes every deployment ready or, with a reason, leaves its pod waiting for that
   * reason.
   */
  settle(reason?: string): void
}

/**
 * An in-memory API server that implements the REST protocol and validates objects against the official
 * schemas.
 */
export async function startFakeKubernetes(): Promise<FakeKubernetes> {
  const store = createStore()
  const service = await startHttpService((asked, response) => {
    if (fake.mood === 'silent') return
    if (fake.remaining-- <= 0) return void response.destroy()
    if (fake.mood === 'nonsense') return void response.end('<html>')
    try {
      fake.meanwhile(asked)
      const [status, value] = respond(store, fake.mood, asked)
      sendJson(response, status, value)
    } catch (error) {
      fail(response, error)
    }
  })
  const fake: FakeKubernetes = {
    url: service.url,
    asked: service.asked,
    store,
    mood: 'well',
    remaining: Infinity,
    meanwhile: () => {},
    all: (kind) => [...store.objects.values()].filter((object) => object.kind === kind),
    settle: (reason) => settle(store, reason),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
  return fake
}

function fail(response: ServerResponse, error: unknown): void {
  if (!(error instanceof Failure)) throw error
  const { code, reason, message, causes } = error
  sendJson(response, code, {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    message,
    reason,
    code,
    details: { causes },
  })
}

function respond(store: Store, mood: FakeKubernetes['mood'], asked: ReceivedRequest): [number, object] {
  const { pathname: path, searchParams: query } = new URL(asked.url, 'http://cluster')
  if (asked.headers.authorization !== `Bearer ${clusterToken}`)
    throw new Failure([401, 'Unauthorized'], 'Unauthorized')
  if (mood === 'forbidden') throw new Failure([403, 'Forbidden'], 'namespaces is forbidden')
  if (mood === 'failing') throw new Failure([500, 'InternalError'], 'etcd is away')
  const body = asked.body.length > 0 ? (JSON.parse(asked.body.toString()) as object) : undefined
  if (asked.method === 'POST') return [201, store.create(path, body as Kept)]
  if (asked.method === 'DELETE')
    return [200, store.remove(path, (body as { preconditions?: object } | undefined)?.preconditions)]
  if (asked.method === 'PATCH') {
    if (asked.headers['content-type'] !== 'application/merge-patch+json')
      throw new Failure([415, 'UnsupportedMediaType'], 'only merge patches')
    return [200, store.patch(path, body ?? {})]
  }
  const isObject =
    store.objects.has(path) || !/\/[a-z]+s(es)?$/.test(path) || /\/(namespaces|secrets)\/[^/]+$/.test(path)
  if (isObject) return [200, store.find(path)]
  const pairs = (query.get('labelSelector') ?? '').split(',').filter(Boolean)
  const labels = new Map(pairs.map((pair) => pair.split('=') as [string, string]))
  const limit = Number(query.get('limit') ?? Infinity)
  return [200, store.list(path, { labels, limit, from: query.get('continue') })]
}

function settle(store: Store, reason?: string): void {
  for (const [path, found] of store.objects) {
    if (found.kind !== 'Deployment') continue
    store.save(path, { ...found, status: { observedGeneration: 1, readyReplicas: reason ? 0 : 1 } })
    const { namespace = '', name } = found.metadata
    const { template } = found.spec as { template: { metadata: object; spec: Record<string, unknown> } }
    const state = reason ? { waiting: { reason, message: 'as the test wants' } } : { running: {} }
    store.save(`/api/v1/namespaces/${namespace}/pods/${name}-1`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...template.metadata, name: `${name}-1`, namespace },
      spec: template.spec,
      status: { containerStatuses: [{ name, state }] },
    })
  }
}
