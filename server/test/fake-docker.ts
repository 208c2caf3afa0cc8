import { randomUUID } from 'node:crypto'
import { sendJson, startHttpService, type ReceivedRequest, type HttpService } from './http-service.ts'

interface Container {
  readonly Id: string
  readonly Names: readonly string[]
  /** Unix seconds. */
  readonly Created: number
  State: 'created' | 'running'
  Status: string
  readonly Labels: Readonly<Record<string, string>>
}

interface Labelled {
  readonly Id: string
  readonly Name: string
  readonly Labels: Readonly<Record<string, string>>
}

export interface FakeDocker extends HttpService {
  readonly containers: ReadonlyMap<string, Container>
  readonly networks: ReadonlyMap<string, Labelled>
  readonly volumes: ReadonlyMap<string, Labelled>
  /** Number of container removals that respond "already in progress" and remove nothing. */
  busyRemovals: number
}

interface Body {
  readonly Name?: string
  readonly Labels?: Readonly<Record<string, string>>
}

/** A response as Docker sends it. */
type EngineResponse = readonly [status: number, value: object]

const MISSING: EngineResponse = [404, { message: 'no such object' }]
const DONE: EngineResponse = [200, {}]

/** The part of Docker's API that the provider uses, in memory: nothing runs, and every image exists. */
export async function startFakeDocker({ now }: { readonly now: () => number }): Promise<FakeDocker> {
  const containers = new Map<string, Container>()
  const networks = new Map<string, Labelled>()
  const volumes = new Map<string, Labelled>()

  function findContainer(nameOrId: string): Container | undefined {
    return [...containers.values()].find(({ Id, Names }) => Id === nameOrId || Names.includes(`/${nameOrId}`))
  }

  function createContainer(name: string, { Labels = {} }: Body): EngineResponse {
    if (findContainer(name)) return [409, { message: `the name ${name} is already in use` }]
    const Id = randomUUID()
    const created = { State: 'created', Status: 'Created', Created: Math.floor(now() / 1000) } as const
    containers.set(Id, { Id, Names: [`/${name}`], Labels, ...created })
    return [201, { Id }]
  }

  function changeContainer(method: string, nameOrId: string, action: string | undefined): EngineResponse {
    const found = findContainer(nameOrId)
    if (!found) return MISSING
    if (method === 'DELETE') {
      if (fake.busyRemovals-- > 0) return [409, { message: 'removal is already in progress' }]
      containers.delete(found.Id)
    } else if (action === 'start') Object.assign(found, { State: 'running', Status: 'Up' })
    return DONE
  }

  function createLabelled(all: Map<string, Labelled>, { Name = '', Labels = {} }: Body): EngineResponse {
    if (all.has(Name)) return [409, { message: `${Name} already exists` }]
    const made = { Id: Name, Name, Labels }
    all.set(Name, made)
    return [201, made]
  }

  function respond({ method, url, body }: ReceivedRequest): EngineResponse {
    const { pathname, searchParams } = new URL(url, 'http://engine')
    const [, kind = '', name = '', action] = pathname.split('/').map(decodeURIComponent)
    const value = body.length > 0 ? (JSON.parse(body.toString()) as Body) : {}
    if (kind === 'images') return DONE
    const all = { networks, volumes }[kind]
    if (method === 'GET') {
      const filters = JSON.parse(searchParams.get('filters') ?? '{}') as { label?: string[] }
      const wanted = (filters.label ?? []).map((label) => label.split('='))
      const hasAll = ({ Labels }: { readonly Labels: Readonly<Record<string, string>> }) =>
        wanted.every(([label = '', text]) => Labels[label] === text)
      if (kind === 'containers') return [200, [...containers.values()].filter(hasAll)]
      const found = [...(all?.values() ?? [])].filter(hasAll)
      return [200, kind === 'volumes' ? { Volumes: found } : found]
    }
    if (kind === 'containers')
      return name === 'create'
        ? createContainer(searchParams.get('name') ?? '', value)
        : changeContainer(method, name, action)
    if (!all) return MISSING
    if (name === 'create') return createLabelled(all, value)
    if (method === 'DELETE') return all.delete(name) ? DONE : MISSING
    return DONE
  }

  const service = await startHttpService((asked, response) => {
    const [status, value] = respond(asked)
    sendJson(response, status, value)
  })
  const fake: FakeDocker = { ...service, containers, networks, volumes, busyRemovals: 0 }
  return fake
}
