import { useLocation } from 'react-router'

/** A team of the ranking site that nobody has registered here yet; the token proves it for about an hour. */
export interface Handoff {
  readonly extrankToken: string
  readonly extrankName: string
}

/** Beside the address, so that a reload keeps it and nobody can be sent a link with one. */
export function handoffState(handoff: Handoff): { readonly handoff: Handoff } {
  return { handoff }
}

export function useHandoff(): Handoff | null {
  const state = useLocation().state as { readonly handoff?: Handoff } | null
  return state?.handoff ?? null
}
