/** What a thread waits for. */
export function statusOf({ closed, answered }: { readonly closed: boolean; readonly answered: boolean }) {
  if (closed) return 'closed'
  return answered ? 'answered' : 'waiting'
}
