import { z } from 'zod'
import { EngineError, type Engine } from './engine.ts'

// The calls that instances need, from Docker's API 1.41, which Podman implements too.

const Container = z.object({
  Id: z.string(),
  Names: z.array(z.string()).nullable(),
  /** Seconds since 1970 by the engine's clock. */
  Created: z.number(),
  State: z.string(),
  Status: z.string(),
  Labels: z.record(z.string(), z.string()).nullable(),
})
export type Container = z.output<typeof Container> & {
  /** How often the engine restarted it; known for services that did not run for long. */
  readonly restarts?: number
}

const Restarts = z.object({ RestartCount: z.number().default(0) })
const Health = z.object({ Status: z.string() })

const Network = z.object({
  Id: z.string(),
  Name: z.string(),
  Labels: z.record(z.string(), z.string()).nullish(),
  Created: z.string().optional(),
  IPAM: z.object({ Config: z.array(z.object({ Subnet: z.string().optional() })).nullish() }).nullish(),
})
export type Network = z.output<typeof Network>

const Volume = z.object({ Name: z.string(), Labels: z.record(z.string(), z.string()).nullish() })
const Volumes = z.object({ Volumes: z.array(Volume).nullish() })

const Image = z.object({
  Config: z.object({ Volumes: z.record(z.string(), z.unknown()).nullish() }).nullish(),
})

export type Labels = Readonly<Record<string, string>>

export interface NewNetwork {
  readonly name: string
  readonly driver: string
  readonly isInternal: boolean
  /** Such as 10.0.0.0/28; the engine refuses one that is in use. */
  readonly subnet: string
  readonly options: Labels
  readonly labels: Labels
}

function filter(label: string): string {
  return encodeURIComponent(JSON.stringify({ label: [label] }))
}

/** The signal aborts all calls. Removing an object that no longer exists succeeds. */
export function engineCalls(engine: Engine, signal: AbortSignal) {
  const get = (path: string) => engine.call({ method: 'GET', path, signal })
  const post = (path: string, body?: unknown) => engine.call({ method: 'POST', path, body, signal })
  const remove = (path: string) =>
    engine.call({ method: 'DELETE', path, signal }).catch(ignoreStatus(404, 409))
  return {
    listContainers: async (label: string): Promise<Container[]> =>
      z.array(Container).parse(await get(`/containers/json?all=1&filters=${filter(label)}`)),
    listNetworks: async (label: string) =>
      z.array(Network).parse(await get(`/networks?filters=${filter(label)}`)),
    listVolumes: async (label: string) =>
      Volumes.parse(await get(`/volumes?filters=${filter(label)}`)).Volumes ?? [],

    async createNetwork({ name, driver, isInternal, subnet, options, labels }: NewNetwork): Promise<void> {
      await post('/networks/create', {
        Name: name,
        CheckDuplicate: true,
        Driver: driver,
        Internal: isInternal,
        // Explicit, because the engine may enable it by default, and addresses are planned for IPv4 only.
        EnableIPv6: false,
        Labels: labels,
        Options: options,
        IPAM: { Config: [{ Subnet: subnet }] },
      })
    },
    connect: (network: string, container: string, address: string | null) =>
      post(`/networks/${encodeURIComponent(network)}/connect`, {
        Container: container,
        EndpointConfig: address === null ? {} : { IPAMConfig: { IPv4Address: address } },
      }),
    disconnect: (network: string, container: string) =>
      post(`/networks/${encodeURIComponent(network)}/disconnect`, {
        Container: container,
        Force: true,
      }).catch(ignoreStatus(404, 403, 500)),
    /** 0 if the engine cannot say, for example because the container is being removed. */
    restartsOf: async (id: string): Promise<number> =>
      get(`/containers/${id}/json`).then(
        (found) => Restarts.parse(found).RestartCount,
        (error: unknown) => {
          if (error instanceof EngineError) return 0
          throw error
        },
      ),
    /** Runs the health check of a container. Only Podman has this call, from version 4. */
    checkHealth: async (id: string): Promise<string> =>
      Health.parse(await get(`/v4.0.0/libpod/containers/${id}/healthcheck`)).Status,
    createVolume: (body: object) => post('/volumes/create', body),
    createContainer: (name: string, body: object) =>
      post(`/containers/create?name=${encodeURIComponent(name)}`, body),
    startContainer: (name: string) => post(`/containers/${encodeURIComponent(name)}/start`),
    stopContainer: (id: string, graceSeconds: number) =>
      post(`/containers/${id}/stop?t=${graceSeconds}`).catch(ignoreStatus(404, 304)),
    /** Also removes its anonymous volumes; works on running containers. */
    removeContainer: (id: string) => remove(`/containers/${id}?force=true&v=true`),
    removeNetwork: (name: string) => remove(`/networks/${encodeURIComponent(name)}`),
    removeVolume: (name: string) => remove(`/volumes/${encodeURIComponent(name)}?force=true`),

    /** Paths that the image declares as volumes; null when the engine does not have the image. */
    volumesOfImage: (image: string): Promise<readonly string[] | null> =>
      get(`/images/${image}/json`).then(
        (found) => Object.keys(Image.parse(found).Config?.Volumes ?? {}),
        (error: unknown) => {
          if (error instanceof EngineError && error.status === 404) return null
          throw error
        },
      ),
    /** Waits until the pull is complete. The header is Docker's: credentials as base64-encoded JSON. */
    pullImage: (image: string, auth: string | null) =>
      engine.call({
        method: 'POST',
        path: `/images/create?fromImage=${encodeURIComponent(image)}`,
        headers: auth === null ? {} : { 'x-registry-auth': auth },
        signal,
      }),
  }
}
export type EngineCalls = ReturnType<typeof engineCalls>

function ignoreStatus(...statuses: number[]) {
  return (error: unknown): undefined => {
    if (!(error instanceof EngineError && statuses.includes(error.status))) throw error
  }
}
