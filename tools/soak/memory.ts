import { readFileSync } from 'node:fs'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { Instance } from '../lib/instance.ts'

export interface Memory {
  /** The least heap of a window, which is what is left after a garbage collection. */
  readonly heapMib: number
  /** The most resident memory of a window. */
  readonly residentMib: number
}

const SAMPLE_MS = SECOND_MS / 2
const MIB = 1024 * 1024

/** Samples the memory of a server until it is stopped. `take` returns what was seen since the last call. */
export function watchMemory({ url, process: child }: Instance) {
  let heapMib = Infinity
  let residentMib = 0
  const timer = setInterval(() => {
    residentMib = Math.max(residentMib, residentMibOf(child.pid ?? 0))
    void heapMibOf(url).then((mib) => (heapMib = Math.min(heapMib, mib)))
  }, SAMPLE_MS)
  return {
    take(): Memory {
      const seen = { heapMib, residentMib }
      heapMib = Infinity
      residentMib = 0
      return seen
    },
    stop: () => clearInterval(timer),
  }
}

function residentMibOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

async function heapMibOf(url: string): Promise<number> {
  const text = await fetch(`${url}/metrics`).then((response) => response.text())
  return Number(/^nodejs_heap_size_used_bytes(?:\{\})? ([\d.e+]+)/m.exec(text)?.[1] ?? Infinity) / MIB
}
