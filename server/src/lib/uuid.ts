import { v4, v7 } from 'uuid'

/** A random id, for things whose order must not show. */
export function randomId(): string {
  return v4()
}

/** An id that sorts by time, rising within this process even inside one millisecond: ties then follow arrival. */
export function orderedId(): string {
  return v7()
}
