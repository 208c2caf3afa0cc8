import { trackLimits } from '@pennant/contract/tracks.ts'

/** What a form says about the track of a team. */
export interface Declaration {
  readonly track: string
  readonly operator: string
  readonly model: string
}

export const MAX_AGENT = trackLimits.agent

/** As the routes take it. */
export function declarationBody(
  { track, operator, model }: Declaration,
  { namesAgent }: { readonly namesAgent: boolean },
) {
  return { track, ...(namesAgent && { agent: { operator, model } }) }
}
