import type { Provider } from '../provider.ts'
import { httpInstancer } from './http.ts'
import type { Instancer } from './instancer.ts'
import { memoryInstancer } from './memory.ts'

export const instancerProviders: readonly Provider<Instancer>[] = [httpInstancer, memoryInstancer]
