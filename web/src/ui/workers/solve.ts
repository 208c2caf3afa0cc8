import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A task of the self-hosted captcha, as the API hands it out. */
export interface ProofTask {
  readonly prefix: string
  /** 64 lower-case hex digits. */
  readonly target: string
  /** Most attempts. */
  readonly difficulty: number
}

/** The whole number below the difficulty whose digest with the prefix is the target; null when none is. */
export function solveProof(task: ProofTask): number | null {
  return findBetween(task, 0, task.difficulty)
}

/** So many digests leave the page answering between two slices: some ten milliseconds. */
const SLICE = 2000

/** The same on the page's own thread, in slices between which it lives on. Stops with null when aborted. */
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
    // The state after the prefix is copied: only the digits are hashed anew.
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
