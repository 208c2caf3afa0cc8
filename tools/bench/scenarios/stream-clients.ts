import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { openStream } from '@pennant/contract/stream.ts'
import { addressOf } from '../../seed/large/load.ts'

// Opens many streams in another process than the server's, and records when a solve arrives.

/** From the parent: opens that many streams, or reports the arrivals since the last report. */
export type Command = { readonly port: number; readonly count: number } | 'report'

/** Milliseconds of the machine's monotonic clock, which all processes share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

const SOLVES = Buffer.from('event: solves')
/** Connections that are opened at the same time. */
const OPENING = 200

/** All streams are read into the same bytes, which costs a fraction of the processor time of a buffer for each. */
const buffer = Buffer.alloc(64 * 1024)

/** By stream. */
const arrivals = new Map<number, number>()

async function open({ port, count }: { port: number; count: number }): Promise<void> {
  let next = 0
  const openOne = async () => {
    while (next < count) await openStreamFrom(port, next++)
  }
  await Promise.all(Array.from({ length: OPENING }, openOne))
}

function openStreamFrom(port: number, index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback: receive } })
    // Limits count by address.
    const headers = `host: bench\r\naccept: text/event-stream\r\nx-forwarded-for: ${addressOf(index)}`
    socket.write(`GET ${openStream.path} HTTP/1.1\r\n${headers}\r\n\r\n`)
    let isOpen = false
    function receive(length: number): boolean {
      const bytes = buffer.subarray(0, length)
      if (!isOpen && bytes.includes('HTTP/1.1 200')) resolve()
      else if (!isOpen) reject(new Error(bytes.toString('utf8', 0, 200)))
      isOpen = true
      if (bytes.includes(SOLVES) && !arrivals.has(index)) arrivals.set(index, monotonicMs())
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
  process.on('message', (command: Command) => {
    if (command !== 'report') return void open(command).then(() => process.send?.('opened'))
    process.send?.([...arrivals.values()])
    arrivals.clear()
  })
}
