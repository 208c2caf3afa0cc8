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
export function solveProof({ prefix, target, difficulty }: ProofTask): number | null {
  const start = sha256.create().update(utf8ToBytes(`${prefix}.`))
  for (let number = 0; number < difficulty; number += 1) {
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
