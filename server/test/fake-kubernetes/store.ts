import { randomUUID } from 'node:crypto'
import { Failure, mergePatch, type Kept } from './objects.ts'
import { wrongWith } from './schemas.ts'

const CONFLICT = [409, 'Conflict'] as const
const MISSING = [404, 'NotFound'] as const
const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const COLLECTIONS: Readonly<Record<string, string>> = {
  namespaces: 'Namespace',
  services: 'Service',
  secrets: 'Secret',
  limitranges: 'LimitRange',
  resourcequotas: 'ResourceQuota',
  deployments: 'Deployment',
  networkpolicies: 'NetworkPolicy',
  ingresses: 'Ingress',
  pods: 'Pod',
}

interface Selection {
  readonly labels: ReadonlyMap<string, string>
  readonly limit: number
  readonly from: string | null
}

/** The API server's storage: objects by path, with the rules for changing them. */
export function createStore() {
  const objects = new Map<string, Kept>()
  let version = 1
  let nextPort = 30_000
  let nextAddress = 1

  function save(path: string, object: Kept): Kept {
    object.metadata.resourceVersion = String(++version)
    objects.set(path, object)
    return object
  }

  function find(path: string): Kept {
    const found = objects.get(path)
    if (!found) throw new Failure(MISSING, `${path} not found`)
    return found
  }

  function requireOpen(namespace: string): void {
    const { metadata } = find(`/api/v1/namespaces/${namespace}`)
    if (!metadata.deletionTimestamp) return
    const message = `namespace ${namespace} is being terminated`
    throw new Failure([403, 'Forbidden'], message, [{ reason: 'NamespaceTerminating', message }])
  }

  function create(collection: string, body: Kept): Kept {
    const wrong = wrongWith(body)
    if (wrong) throw new Failure([400, 'BadRequest'], wrong)
    const { name } = body.metadata
    if (COLLECTIONS[collection.split('/').at(-1) ?? ''] !== body.kind)
      throw new Failure([400, 'BadRequest'], `${body.kind} does not belong to ${collection}`)
    if (!DNS_LABEL.test(name)) throw new Failure([422, 'Invalid'], `metadata.name: Invalid value: "${name}"`)
    const namespace = /\/namespaces\/([^/]+)\//.exec(collection)?.[1]
    if (namespace) requireOpen(namespace)
    const path = `${collection}/${name}`
    if (objects.has(path)) throw new Failure([409, 'AlreadyExists'], `${name} already exists`)
    const made = { ...structuredClone(body) }
    made.metadata = { ...made.metadata, uid: randomUUID(), generation: 1, ...(namespace && { namespace }) }
    if (made.kind === 'Service') addresses(made)
    return save(path, made)
  }

  function addresses(service: Kept): void {
    const { type, ports } = service.spec as { type?: string; ports?: object[] }
    if (!ports?.length) throw new Failure([422, 'Invalid'], 'spec.ports: Required value')
    service.spec = {
      ...service.spec,
      clusterIP: `10.96.0.${nextAddress++}`,
      ports: type === 'NodePort' ? ports.map((port) => ({ ...port, nodePort: nextPort++ })) : ports,
    }
  }

  return {
    objects,
    save,
    find,
    create,

    patch(path: string, body: { metadata?: Partial<Kept['metadata']> }): Kept {
      const found = find(path)
      const { resourceVersion = found.metadata.resourceVersion, uid = found.metadata.uid } =
        body.metadata ?? {}
      if (resourceVersion !== found.metadata.resourceVersion || uid !== found.metadata.uid)
        throw new Failure(CONFLICT, 'the object has been modified')
      return save(path, mergePatch(found, body) as Kept)
    },

    /** A namespace stays in Terminating until `finishRemovals` runs the finalizers. */
    remove(path: string, preconditions: { uid?: string; resourceVersion?: string } = {}): Kept {
      const found = find(path)
      const { uid, resourceVersion } = found.metadata
      if (
        (preconditions.uid ?? uid) !== uid ||
        (preconditions.resourceVersion ?? resourceVersion) !== resourceVersion
      )
        throw new Failure(CONFLICT, 'precondition failed')
      const metadata = { ...found.metadata, deletionTimestamp: new Date().toISOString() }
      return save(path, { ...found, metadata, status: { phase: 'Terminating' } })
    },

    finishRemovals(): void {
      for (const [path, { kind, metadata }] of objects)
        if (kind === 'Namespace' && metadata.deletionTimestamp)
          for (const other of objects.keys())
            if (other === path || other.includes(`/namespaces/${metadata.name}/`)) objects.delete(other)
    },

    list(collection: string, { labels, limit, from }: Selection) {
      const [, group, resource] = /^(\/apis?\/.*v1)\/([a-z]+)$/.exec(collection) ?? []
      const belongs = (path: string) =>
        path.startsWith(`${collection}/`)
          ? !path.slice(collection.length + 1).includes('/')
          : resource !== undefined &&
            path.startsWith(`${group}/namespaces/`) &&
            path.split('/').at(-2) === resource
      const all = [...objects]
        .filter(([path]) => belongs(path))
        .filter(([, { metadata }]) => [...labels].every(([name, value]) => metadata.labels?.[name] === value))
        .filter(([path]) => from === null || path > from)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
      const page = all.slice(0, limit)
      const more = all.length > page.length ? page.at(-1)?.[0] : undefined
      return {
        kind: 'List',
        metadata: { resourceVersion: String(version), ...(more && { continue: more }) },
        items: page.map(([, object]) => object),
      }
    },
  }
}

export type Store = ReturnType<typeof createStore>
