/** More than an event has challenges with instances; the oldest goes first. */
const MOST = 200
/** Challenges whose instances were seen with more time left than the warning's. */
const due = new Set<string>()

/** Whether the instance has come near its end since it was seen last: true once for each time. Of one that is that near when it is first seen, never. */
export function comesToEnd(id: string, isNear: boolean): boolean {
  if (isNear) return due.delete(id)
  due.add(id)
  for (const oldest of due) if (due.size > MOST) due.delete(oldest)
  return false
}
