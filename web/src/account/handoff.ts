import { useLocation } from 'react-router'

/** A team of the ranking site that is not registered here yet; the token proves it for about an hour. */
export interface Handoff {
  readonly extrankToken: string
  readonly extrankName: string
}

/** Kept in the history state, so that it survives a reload and a link cannot carry one. */
export function handoffState(handoff: Handoff): { readonly handoff: Handoff } {
  return { handoff }
}

export function useHandoff(): Handoff | null {
  const state = useLocation().state as { readonly handoff?: Handoff } | null
  return state?.handoff ?? null
}
