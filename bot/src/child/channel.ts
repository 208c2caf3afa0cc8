import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { z } from 'zod'
import { REPORT_DESCRIPTOR, type Report } from '../protocol.ts'

/**
 * The buffer grows only when a page logs faster than the worker reads. Then log lines are dropped, other
 * reports are not.
 */
const MAX_WAITING_BYTES = 1024 * 1024

export interface Channel {
  /** The worker's next order. */
  next<T extends z.ZodType>(shape: T): Promise<z.output<T>>
  report(report: Report): void
  /** Resolves when all reports are written to the pipe. */
  flush(): Promise<void>
}

/** The child's side of the protocol. The child exits when the worker is gone. */
export function openChannel(): Channel {
  const reports = new Socket({ fd: REPORT_DESCRIPTOR, readable: false, writable: true })
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
