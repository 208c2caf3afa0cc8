import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A proof-of-work task of the self-hosted captcha. */
export interface ProofTask {
  readonly prefix: string
  /** 64 lowercase hex digits. */
  readonly target: string
  /** Maximum number of attempts. */
  readonly difficulty: number
}

/** Finds the integer below `difficulty` whose hash with the prefix is the target; null if none. */
export function solveProof(task: ProofTask): number | null {
  return findBetween(task, 0, task.difficulty)
}

/** Hashes per slice, about ten milliseconds, so that the page stays responsive. */
const SLICE = 2000

/** The same on the main thread, in slices that yield to the event loop. Returns null when aborted. */
export async function solveInSlices(task: ProofTask, signal: AbortSignal): Promise<number | null> {
  for (let from = 0; from < task.difficulty && !signal.aborted; from += SLICE) {
    const found = findBetween(task, from, Math.min(from + SLICE, task.difficulty))
    if (found !== null) return found
    await new Promise((next) => setTimeout(next))
  }
  return null
}

function findBetween({ prefix, target }: ProofTask, from: number, to: number): number | null {
  const start = sha256.create().update(utf8ToBytes(`${prefix}.`))
  for (let number = from; number < to; number += 1) {
    // Clone the hash state after the prefix, so that only the digits are hashed.
    if (
      bytesToHex(
        start
          .clone()
          .update(utf8ToBytes(String(number)))
          .digest(),
      ) === target
    )
      return number
  }
  return null
}
