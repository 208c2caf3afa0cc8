import type { Provider } from '../provider.ts'
import { httpInstancer } from './http.ts'
import type { Instancer } from './instancer.ts'
import { dockerInstancer } from './docker/docker.ts'
import { memoryInstancer } from './memory.ts'

export const instancerProviders: readonly Provider<Instancer>[] = [
  dockerInstancer,
  httpInstancer,
  memoryInstancer,
]
