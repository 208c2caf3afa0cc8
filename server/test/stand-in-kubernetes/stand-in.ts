import type { ServerResponse } from 'node:http'
import { answerJson, startHttpService, type Asked } from '../http-service.ts'
import { Failure, type Kept } from './objects.ts'
import { createStore, type Store } from './store.ts'

export const clusterToken = 'a-service-account'

export interface StandInKubernetes extends AsyncDisposable {
  readonly url: string
  readonly asked: readonly Asked[]
  readonly store: Store
  mood: 'well' | 'forbidden' | 'failing' | 'silent' | 'nonsense'
  /** So many more requests are done; then the caller's line is cut. */
  remaining: number
  /** Before a request is answered: for what others do in between. */
  meanwhile: (asked: Asked) => void
  /** What stands below the paths of all namespaces of one kind, such as Deployment. */
  all(kind: string): Kept[]
  /** The controllers' part: every deployment is ready, or its pod waits for the reason. */
  settle(reason?: string): void
}

/** An API server in memory that speaks the REST protocol and holds objects to the official schemas. */
export async function startStandInKubernetes(): Promise<StandInKubernetes> {
  const store = createStore()
  const service = await startHttpService((asked, response) => {
    if (standIn.mood === 'silent') return
    if (standIn.remaining-- <= 0) return void response.destroy()
    if (standIn.mood === 'nonsense') return void response.end('<html>')
    try {
      standIn.meanwhile(asked)
      const [status, value] = answer(store, standIn.mood, asked)
      answerJson(response, status, value)
    } catch (error) {
      fail(response, error)
    }
  })
  const standIn: StandInKubernetes = {
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
  return standIn
}

function fail(response: ServerResponse, error: unknown): void {
  if (!(error instanceof Failure)) throw error
  const { code, reason, message, causes } = error
  answerJson(response, code, {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    message,
    reason,
    code,
    details: { causes },
  })
}

function answer(store: Store, mood: StandInKubernetes['mood'], asked: Asked): [number, object] {
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
