import { once } from 'node:events'
import { getHeapStatistics, GCProfiler } from 'node:v8'
import { Worker } from 'node:worker_threads'

/** Sends requests to a server of this thread, and counts what this thread allocates meanwhile. */
export interface Counting extends AsyncDisposable {
  /** Bytes of JavaScript objects per request. Buffers outside the heap are not included. */
  bytesPerRequest(requests: readonly string[]): Promise<Counted>
}

export interface Counted {
  readonly bytes: number
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>
}

export async function startCounting(url: string): Promise<Counting> {
  const port = Number(new URL(url).port)
  const worker = new Worker(new URL('requests-worker.mjs', import.meta.url), { workerData: { port } })
  await once(worker, 'message')
  return {
    async bytesPerRequest(requests) {
      const count = startHeapCount()
      worker.postMessage(requests)
      const [statuses] = (await once(worker, 'message')) as [Counted['statuses']]
      return { bytes: count() / requests.length, statuses }
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

/** Adds up how much the heap grew between collections, so it does not matter when they happen. */
function startHeapCount(): () => number {
  const profiler = new GCProfiler()
  profiler.start()
  const before = getHeapStatistics().used_heap_size
  return () => {
    const after = getHeapStatistics().used_heap_size
    const { statistics } = profiler.stop()
    let from = before
    let sum = 0
    for (const { beforeGC, afterGC } of statistics) {
      sum += beforeGC.heapStatistics.usedHeapSize - from
      from = afterGC.heapStatistics.usedHeapSize
    }
    return sum + after - from
  }
}
