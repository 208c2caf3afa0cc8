import type { z } from 'zod'
import type { Provider } from '../provider.ts'
import { dockerInstancer } from './docker/docker.ts'
import { httpInstancer } from './http.ts'
import type { Instancer, InstancerContext } from './instancer.ts'
import { kubernetesInstancer } from './kubernetes/kubernetes.ts'
import { memoryInstancer } from './memory.ts'

export const instancerProviders: readonly Provider<Instancer, z.ZodType, InstancerContext>[] = [
  dockerInstancer,
  kubernetesInstancer,
  httpInstancer,
  memoryInstancer,
]
