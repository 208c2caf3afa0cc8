import type { Provider } from '../provider.ts'
import { dockerInstancer } from './docker/docker.ts'
import { httpInstancer } from './http.ts'
import type { Instancer } from './instancer.ts'
import { kubernetesInstancer } from './kubernetes/kubernetes.ts'
import { memoryInstancer } from './memory.ts'

export const instancerProviders: readonly Provider<Instancer>[] = [
  dockerInstancer,
  kubernetesInstancer,
  httpInstancer,
  memoryInstancer,
]
