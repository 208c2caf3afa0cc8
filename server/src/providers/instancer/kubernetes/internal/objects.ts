import { z } from 'zod'
import { ProviderError } from '../../../provider.ts'
import type { Cluster } from './cluster.ts'
import { LABEL } from './names.ts'
import type { KubernetesOptions } from './options.ts'

// The fields of cluster objects that we read; all others are ignored.

const Text = z.record(z.string(), z.string()).default({})

export type Namespace = z.output<typeof Namespace>
export const Namespace = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    resourceVersion: z.string(),
    deletionTimestamp: z.string().optional(),
    annotations: Text,
  }),
})

export type Service = z.output<typeof Service>
export const Service = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    clusterIP: z.string().optional(),
    ports: z.array(z.object({ nodePort: z.int().optional() })).default([]),
  }),
})

const Condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
})

export type Deployment = z.output<typeof Deployment>
export const Deployment = z.object({
  metadata: z.object({ name: z.string(), namespace: z.string(), generation: z.int().default(0) }),
  status: z
    .object({
      observedGeneration: z.int().default(0),
      readyReplicas: z.int().default(0),
      conditions: z.array(Condition).default([]),
    })
    .prefault({}),
})

const ContainerStatus = z.object({
  state: z
    .object({
      waiting: z.object({ reason: z.string().optional(), message: z.string().optional() }).optional(),
    })
    .default({}),
})

export type PodState = z.output<typeof PodState>
export const PodState = z.object({
  metadata: z.object({ name: z.string(), namespace: z.string(), labels: Text }),
  status: z
    .object({
      containerStatuses: z.array(ContainerStatus).default([]),
      initContainerStatuses: z.array(ContainerStatus).default([]),
    })
    .prefault({}),
})

/** @throws ProviderError when the cluster's response does not match the schema */
export function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { success, data } = schema.safeParse(value)
  if (!success) throw new ProviderError('The cluster returned an unusable response.')
  return data
}

/** A page size that API servers handle well; kubectl uses the same. */
const PAGE_SIZE = 500
/** More than 50,000 objects means that something is wrong with the cluster. */
const MAX_PAGES = 100

interface ListWish<Schema> {
  readonly path: string
  readonly item: Schema
  readonly options: KubernetesOptions
}

/** All objects of this deployment below the path. */
export async function listAll<Schema extends z.ZodType>(
  cluster: Cluster,
  { path, item, options }: ListWish<Schema>,
  signal: AbortSignal,
): Promise<z.output<Schema>[]> {
  const Page = z.object({
    metadata: z.object({ continue: z.string().optional() }).default({}),
    items: z.array(item),
  })
  const items: z.output<Schema>[] = []
  let next: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = {
      labelSelector: `${LABEL.deployment}=${options.deployment}`,
      limit: String(PAGE_SIZE),
      ...(next && { continue: next }),
    }
    const { status, value } = await cluster.request({ method: 'GET', path, query }, signal)
    if (status === 404) return []
    const { metadata, items: more } = read(Page, value)
    items.push(...more)
    next = metadata.continue || undefined
    if (!next) return items
  }
  throw new ProviderError('The cluster has too many objects to list.')
}
