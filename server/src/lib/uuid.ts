import { randomFillSync } from 'node:crypto'
import { v4, v7 } from 'uuid'

/** Random bytes of 512 ids at a time: a call of the system's source costs as much as the rest of an id. */
const POOL_IDS = 512
const ID_BYTES = 16
const pool = new Uint8Array(POOL_IDS * ID_BYTES)
let used = pool.length

/** Of the newest ordered id. */
let msecs = 0
let sequence = 0

/** A random id (v4), for rows whose order must stay secret. */
export function randomId(): string {
  return v4()
}

/** An id that sorts by time and increases within this process even inside one millisecond. */
export function orderedId(): string {
  const random = randomBytes()
  const now = Date.now()
  if (now > msecs) {
    msecs = now
    // 31 random bits: half of the sequence is left for ids of the same millisecond.
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else {
    sequence = (sequence + 1) >>> 0
    if (sequence === 0) msecs += 1
  }
  return v7({ random, msecs, seq: sequence })
}

/** 12 random characters, short enough to be quoted. */
export function newRequestId(): string {
  return Buffer.from(randomBytes().subarray(0, 9)).toString('base64url')
}

function randomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += ID_BYTES
  return pool.subarray(used - ID_BYTES, used)
}
