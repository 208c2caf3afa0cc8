/** Thrown when a request body exceeds the memory budget. The response is 503 `errorUnavailable`; it is not logged. */
export class BodyBudgetError extends Error {
  override readonly name = 'BodyBudgetError'
}

/** Memory reserved for the body of one request. */
export interface BodyAccount {
  /** Throws a `BodyBudgetError` if the budget or the owner's share of it would be exceeded. */
  reserve(bytes: number): void
  release(bytes: number): void
  /** Releases what is still reserved. */
  close(): void
}

/** A memory limit for all request bodies of this process together. */
export interface BodyBudget {
  /** All bodies of an owner share a part of the budget. A body without an owner may use all of it. */
  open(owner: string | null, options?: AccountOptions): BodyAccount
  readonly heldBytes: number
}

export interface AccountOptions {
  /** The sender is verified only after the body was read. All such bodies share a part of the budget. */
  readonly isUnverified?: boolean
}

/** Maximum share of one client address, so that a single sender cannot exhaust the budget. */
const OWNER_SHARE = 1 / 4

/** Maximum share of all unverified bodies: anyone can send them, from many addresses. */
const UNVERIFIED_SHARE = 1 / 2

export function createBodyBudget(maxBytes: number): BodyBudget {
  const ownerMaxBytes = maxBytes * OWNER_SHARE
  let heldBytes = 0
  let unverifiedBytes = 0
  // Bounded: an owner has an entry only while it holds bytes.
  const heldByOwner = new Map<string, number>()

  function add(owner: string | null, bytes: number): void {
    heldBytes += bytes
    if (owner === null) return
    const held = (heldByOwner.get(owner) ?? 0) + bytes
    if (held === 0) heldByOwner.delete(owner)
    else heldByOwner.set(owner, held)
  }

  function fits(owner: string | null, bytes: number): boolean {
    if (heldBytes + bytes > maxBytes) return false
    return owner === null || (heldByOwner.get(owner) ?? 0) + bytes <= ownerMaxBytes
  }

  return {
    open(owner, { isUnverified = false } = {}) {
      let reserved = 0
      function change(bytes: number): void {
        reserved += bytes
        add(owner, bytes)
        if (isUnverified) unverifiedBytes += bytes
      }
      return {
        reserve(bytes) {
          const isOver = isUnverified && unverifiedBytes + bytes > maxBytes * UNVERIFIED_SHARE
          if (isOver || !fits(owner, bytes))
            throw new BodyBudgetError('memory budget for request bodies exceeded')
          change(bytes)
        },
        release: (bytes) => change(-bytes),
        close: () => change(-reserved),
      }
    },
    get heldBytes() {
      return heldBytes
    },
  }
}
