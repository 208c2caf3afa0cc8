import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Deployment } from './deployment.ts'

type HostFault = (deployment: Pick<Deployment, 'network' | 'setClock' | 'database'>) => Promise<void>

const BROKEN_MS = 10_000
/** Longer than any write waits. */
const CUT_MS = 20_000
const FULL_MS = 5_000

/** Between the second replica and the database. */
export const NETWORK_FAULTS: Readonly<Record<string, HostFault>> = {
  'network-cut': async ({ network }) => {
    const heal = network.cut()
    await delay(CUT_MS)
    heal()
  },
  // As after a failover without a sign: new connections work, and old ones get no response any more.
  'network-forgotten': async ({ network }) => network.forget(),
  'network-slow': ({ network }) => slowDown(network, { delayMs: 100, lossShare: 0 }),
  'network-lossy': ({ network }) => slowDown(network, { delayMs: 1, lossShare: 0.1 }),
}

async function slowDown(
  network: Deployment['network'],
  { delayMs, lossShare }: { readonly delayMs: number; readonly lossShare: number },
): Promise<void> {
  network.slow(delayMs, lossShare)
  try {
    await delay(BROKEN_MS)
  } finally {
    network.slow(0)
  }
}

/** The clock of the second replica. */
export const CLOCK_FAULTS: Readonly<Record<string, HostFault>> = {
  'clock-ahead': (deployment) => setClockFor(deployment, [5]),
  'clock-behind': (deployment) => setClockFor(deployment, [-5]),
  'clock-stepping': (deployment) => setClockFor(deployment, [5, -5, 0, 5, -5]),
}

async function setClockFor(
  { setClock }: Pick<Deployment, 'setClock'>,
  steps: readonly number[],
): Promise<void> {
  try {
    for (const seconds of steps) {
      setClock?.(seconds)
      await delay(BROKEN_MS / steps.length)
    }
  } finally {
    setClock?.(0)
  }
}

export const DISK_FAULTS: Readonly<Record<string, HostFault>> = {
  'disk-full': async ({ database }) => {
    const filler = join(database.folder, 'filler')
    try {
      const until = Date.now() + FULL_MS
      // What PostgreSQL frees meanwhile is filled again.
      while (Date.now() < until) {
        await fillDisk(filler)
        await delay(50)
      }
    } finally {
      await rm(filler, { force: true })
    }
  },
}

const PIECE = Buffer.alloc(1024 * 1024)

/** Appends to the file until no space is left: pieces first, then single pages. */
async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'a')
  try {
    for (const piece of [PIECE, PIECE.subarray(0, 4096)]) await writeUntilFull(file, piece)
  } finally {
    await file.close()
  }
}

async function writeUntilFull(file: FileHandle, piece: Buffer): Promise<void> {
  try {
    // Ends: the disk is small.
    for (;;) await file.write(piece)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
