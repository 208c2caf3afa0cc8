import { v4, v7 } from 'uuid'

/** A random id (v4), for rows whose order must stay secret. */
export function randomId(): string {
  return v4()
}

/** An id that sorts by time and increases within this process even inside one millisecond. */
export function orderedId(): string {
  return v7()
}
