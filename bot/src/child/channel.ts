import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { z } from 'zod'
import { reportDescriptor, type Report } from '../protocol.ts'

/** More waits only when a page writes faster than the worker reads: then lines are dropped, and nothing else is. */
const MAX_WAITING_BYTES = 1024 * 1024

export interface Channel {
  /** The next order of the worker. */
  next<T extends z.ZodType>(shape: T): Promise<z.output<T>>
  report(report: Report): void
  /** Resolves when all that was reported is on its way. */
  flush(): Promise<void>
}

/** The child's side of the protocol. The child ends when the worker is gone. */
export function openChannel(): Channel {
  const reports = new Socket({ fd: reportDescriptor, readable: false, writable: true })
  reports.on('error', () => process.exit(1))
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  return {
    async next(shape) {
      const { value, done } = await lines.next()
      if (done === true) process.exit(0)
      return shape.parse(JSON.parse(value))
    },
    report(report) {
      const isSpare = report.type === 'line' || report.type === 'note'
      if (isSpare && reports.writableLength > MAX_WAITING_BYTES) return
      reports.write(`${JSON.stringify(report)}\n`)
    },
    flush: () => new Promise((resolve) => reports.end(resolve)),
  }
}
