import type { Log } from '../../../../lib/log.ts'
import type { Cluster } from './cluster.ts'
import type { KubernetesOptions } from './options.ts'

export interface Context {
  readonly cluster: Cluster
  readonly options: KubernetesOptions
  readonly log: Log
  readonly now: () => number
  readonly hostNameKey: Buffer
}
