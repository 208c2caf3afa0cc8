import type { Instancer } from './instancer.ts'

/** A finished call to an engine. */
export interface FinishedCall {
  readonly instancer: string
  readonly operation: 'create' | 'get' | 'extend' | 'delete' | 'list' | 'prune' | 'prepare' | 'capacity'
  readonly result: 'ok' | 'failed'
  readonly ms: number
}

/** Reports the duration of every call to an engine, failed ones included. */
export function timed(name: string, engine: Instancer, report: (call: FinishedCall) => void): Instancer {
  const { list, prune, prepare, capacity } = engine

  function wrap<Args extends readonly unknown[], Result>(
    operation: FinishedCall['operation'],
    run: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    return async (...args) => {
      const startedAt = performance.now()
      let result: FinishedCall['result'] = 'failed'
      try {
        const value = await run(...args)
        result = 'ok'
        return value
      } finally {
        report({ instancer: name, operation, result, ms: performance.now() - startedAt })
      }
    }
  }

  return {
    ...engine,
    create: wrap('create', (order, signal) => engine.create(order, signal)),
    get: wrap('get', (key, signal) => engine.get(key, signal)),
    extend: wrap('extend', (renewal, signal) => engine.extend(renewal, signal)),
    delete: wrap('delete', (key, signal) => engine.delete(key, signal)),
    ...(list && { list: wrap('list', list) }),
    ...(prune && { prune: wrap('prune', prune) }),
    ...(prepare && { prepare: wrap('prepare', prepare) }),
    ...(capacity && { capacity: wrap('capacity', capacity) }),
  }
}
