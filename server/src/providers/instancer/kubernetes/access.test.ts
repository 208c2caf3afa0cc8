import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import type { ReceivedRequest } from '../../../../test/http-service.ts'
import { kubernetesOn, orderOf } from '../../../../test/kubernetes-instances.ts'
import {
  clusterToken,
  startFakeKubernetes,
  type FakeKubernetes,
} from '../../../../test/fake-kubernetes/server.ts'

const { signal } = new AbortController()
const order = orderOf()
const MANIFEST = new URL('../../../../../deploy/kubernetes/instancer.yaml', import.meta.url)
const VERBS: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'patch', DELETE: 'delete' }

interface Manifest {
  readonly rules?: readonly {
    readonly apiGroups: readonly string[]
    readonly resources: readonly string[]
    readonly verbs: readonly string[]
  }[]
}

let cluster: FakeKubernetes
beforeEach(async () => {
  cluster = await startFakeKubernetes()
})
afterEach(() => cluster[Symbol.asyncDispose]())

/** In the form of a role's rule: group, resource, verb. */
function rightOf({ method, url }: ReceivedRequest): string {
  const { pathname } = new URL(url, cluster.url)
  const [, group = '', rest = ''] = /^\/apis?(?:\/([a-z.0-9]+))?\/v1\/(.*)$/.exec(pathname) ?? []
  const parts = rest.split('/')
  const [resource = '', name] = parts.length > 2 ? parts.slice(2) : parts
  return [group, resource, VERBS[method] ?? (name ? 'get' : 'list')].join(' ')
}

async function rightsOfRole(): Promise<string[]> {
  const documents = parseAllDocuments(await readFile(MANIFEST, 'utf8'))
  const rules = documents.flatMap((each) => (each.toJS() as Manifest).rules ?? [])
  return rules.flatMap(({ apiGroups: [group = ''], resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => [group, resource, verb].join(' '))),
  )
}

test('the role in deploy permits exactly the requests that are sent', async () => {
  const registries = [{ server: 'registry.test', username: 'me', password: 'secret' }]
  const instancer = await kubernetesOn({ url: cluster.url, more: { registries } })
  await instancer.create(order, signal)
  const [namespace] = cluster.all('Namespace')
  delete namespace?.metadata.annotations?.['pennant/complete']
  await instancer.create(order, signal)
  await instancer.extend(order, signal)
  await instancer.list?.(signal)
  await instancer.delete(order, signal)
  const asked = new Set(cluster.asked.map(rightOf))
  expect([...asked].toSorted()).toEqual((await rightsOfRole()).toSorted())
})

test('accepts a kubeconfig as text and as a file', async () => {
  const text = stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'one', user: 'me' } }],
    clusters: [{ name: 'one', cluster: { server: cluster.url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'me', user: { token: clusterToken } }],
  })
  const folder = await mkdtemp(join(tmpdir(), 'pennant-test-'))
  try {
    const path = join(folder, 'config')
    await writeFile(path, text)
    for (const kubeconfig of [text, path]) {
      const more = { kubeconfig, apiUrl: undefined, token: undefined }
      const instancer = await kubernetesOn({ url: '', more })
      expect(await instancer.get(order, signal)).toMatchObject({ status: 'stopped' })
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('requires exactly one way to reach the cluster, and a token together with an address', async () => {
  const { url } = cluster
  await expect(kubernetesOn({ url, more: { inCluster: true } })).rejects.toThrow('exactly one')
  await expect(kubernetesOn({ url, more: { token: undefined } })).rejects.toThrow('must be set together')
})
