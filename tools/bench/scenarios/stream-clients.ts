import { spawnSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { openStream } from '@pennant/contract/stream.ts'

// Opens many streams in a process of its own, so that it does not slow down the server, and notes when solves arrive.

/** From the parent: what to do. */
export type Command =
  | { readonly do: 'open'; readonly port: number; readonly count: number; readonly from: number }
  /** Starts to note arrivals. */
  | { readonly do: 'note' }
  | { readonly do: 'report' }
  /** Processor time of this process. */
  | { readonly do: 'usage' }

/** Milliseconds of the machine's monotonic clock, which all processes share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

const SOLVES = Buffer.from('event: solves')
/** Connections that are opened at the same time. */
const OPENING = 200

/** All streams are read into the same bytes, which costs a fraction of the processor time of a buffer for each. */
const buffer = Buffer.alloc(64 * 1024)

let firstAt: (number | null)[] = []

async function open({ port, count, from }: { port: number; count: number; from: number }): Promise<void> {
  let next = 0
  const openOne = async () => {
    while (next < count) {
      const index = next
      next += 1
      await openStreamFrom(port, { index, address: addressOf(from + index) })
    }
  }
  await Promise.all(Array.from({ length: OPENING }, openOne))
}

/** An address of its own for each stream: the limits count by address. */
function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

function openStreamFrom(
  port: number,
  { index, address }: { readonly index: number; readonly address: string },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback: receive } })
    socket.write(
      `GET ${openStream.path} HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\nx-forwarded-for: ${address}\r\n\r\n`,
    )
    let isOpen = false
    function receive(length: number): boolean {
      const bytes = buffer.subarray(0, length)
      if (!isOpen && bytes.includes('HTTP/1.1 200')) resolve(socket)
      else if (!isOpen) reject(new Error(bytes.toString('utf8', 0, 200)))
      isOpen = true
      if (firstAt[index] === null && bytes.includes(SOLVES)) firstAt[index] = monotonicMs()
      return true
    }
    socket.on('error', reject)
  })
}

/**
 * Keeps all threads of this process on one core, where the tool for it is installed. On loopback the scheduler otherwise interrupts the
 * server for each client that it has written to, which no client on another machine does.
 */
function pinToLastCore(): void {
  const cores = availableParallelism()
  if (cores > 1) spawnSync('taskset', ['-a', '-c', '-p', String(cores - 1), String(process.pid)])
}

if (process.send) {
  pinToLastCore()
  let count = 0
  process.on('message', (command: Command) => {
    if (command.do === 'open') {
      count = command.count
      void open(command).then(() => process.send?.({ opened: count }))
    }
    if (command.do === 'note') {
      firstAt = Array.from({ length: count }, () => null)
      process.send?.({ noting: true })
    }
    if (command.do === 'report') process.send?.({ firstAt })
    if (command.do === 'usage') {
      const { user, system } = process.cpuUsage()
      process.send?.({ seconds: (user + system) / 1e6 })
    }
  })
}
